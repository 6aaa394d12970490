"""Reports as people send them, and the administrator who reads what they say."""

import secrets

from confide.reports.submissions import Submission
from confide.reports.wire import Report, receipt_id, write_report
from confide.surveys.sampler import secure_words

PASSWORD = "correct horse battery"


def send(survey, store, answers):
    """Put disguised answers into a store."""
    words, form = secure_words(), survey.questionnaire
    store.settle(
        [
            Submission(
                secrets.token_bytes(16), form.pack(form.disguise_answers(a, words), form.modes())
            )
            for a in answers
        ]
    )


def body(survey, codes=(1, 0), *, receipt=None, token="", modes=None):
    receipt = receipt or secrets.token_hex(16)
    modes = modes or survey.questionnaire.modes()
    return write_report(survey.questionnaire, Report(receipt_id(receipt), token, modes, codes))


def post(client, sent, path="/report", **headers):
    return client.post(path, content=sent, headers={"Content-Type": "application/json", **headers})
