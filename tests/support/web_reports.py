"""Reports as people send them, and the administrator who reads what they say."""

import secrets

from confide.reports.submissions import Submission
from confide.reports.wire import Report, receipt_id, write_report
from confide.surveys.sampler import secure_words
from confide.web.blind_signatures import find_public_key
from support.blinding import Invited, hash_token

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


def body(survey, codes=(1, 0), *, receipt=None, ticket="", modes=None):
    receipt = receipt or secrets.token_hex(16)
    modes = modes or survey.questionnaire.modes()
    return write_report(survey.questionnaire, Report(receipt_id(receipt), ticket, modes, codes))


def post(client, sent, path="/report", **headers):
    return client.post(path, content=sent, headers={"Content-Type": "application/json", **headers})


def redeem(client, person, path="/ticket"):
    """Redeem a person's invitation; gives the whole answer."""
    return post(client, person.redemption, path)


def invite(store, survey, codes=(1, 0)):
    """Invite one more person to a store."""
    token = secrets.token_hex(16)
    store.invite([hash_token(token)])
    return Invited(survey, find_public_key(store), token, codes)


def report_invited(client, person):
    """Redeem an invitation and send the report; gives the whole answer to the report."""
    signed = redeem(client, person).json()["signature"]
    return post(client, person.report(person.ticket(signed)))
