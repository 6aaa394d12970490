"""Attacks on people who draw by their own coin: they are few, and must not be told by it."""

import random
from collections import Counter

import pytest
from support.web_reports import body, post
from support.web_surveys import campus, small

from confide.reports.mixed_modes import mix_modes
from confide.reports.report_store import BATCH
from confide.reports.store import open_store
from confide.reports.submissions import Outcome, Submission
from confide.surveys.questionnaire import OWN, Questionnaire

FORM = Questionnaire(small().design)
ROUNDS = 2_000


def make_batch(form, seed, own=1):
    """A batch of reports; who draws by hand comes first, and has ids as random as the others."""
    chance = random.Random(seed)
    reports = {}
    for person in range(BATCH):
        codes = [chance.randrange(field.size) for field in form.fields]
        modes = form.modes(sorted(form.by_hand) if person < own else ())
        reports[chance.randbytes(16)] = form.pack(codes, modes)
    return reports


def find_own(form, reports):
    return [each for each, record in reports.items() if OWN in form.unpack(record)[1]]


@pytest.mark.slow
def test_whoever_drew_by_hand_is_found_no_better_than_by_chance():
    """One of twenty: the letter lies with their report in a twentieth of the rounds.

    The tolerance is four standard errors of a share of 1/20 in 2,000 rounds, 1.9 %. Before, the
    letter lay with their report always.
    """
    batch = make_batch(FORM, 1)
    (person,) = find_own(FORM, batch)
    found = Counter(find_own(FORM, mix_modes(FORM, batch))[0] for _ in range(ROUNDS))
    assert found.total() == ROUNDS
    assert abs(found[person] / ROUNDS - 1 / BATCH) < 4 * (0.05 * 0.95 / ROUNDS) ** 0.5
    assert len(found) == BATCH


def test_the_share_stays_and_so_does_what_was_reported():
    form = campus().questionnaire
    batch = make_batch(form, 2, own=7)
    mixed = mix_modes(form, batch)
    assert set(mixed) == set(batch)
    for each, record in batch.items():
        assert form.unpack(record)[0] == form.unpack(mixed[each])[0]
    for place in range(len(form.fields)):
        before, after = (
            Counter(form.unpack(record)[1][place] for record in reports.values())
            for reports in (batch, mixed)
        )
        assert before == after
    together = {form.unpack(record)[1] for record in mixed.values()}
    assert len(together) > 2  # blocks are dealt apart: not even a whole row of letters stays


def test_damaged_and_withdrawn_reports_stay_as_they_are():
    batch = {**make_batch(FORM, 3), b"w" * 16: None, b"d" * 16: b"\xff" * FORM.record.itemsize}
    mixed = mix_modes(FORM, batch)
    assert (mixed[b"w" * 16], mixed[b"d" * 16]) == (None, batch[b"d" * 16])
    assert mix_modes(FORM, {}) == {}


def test_stores_mix_a_batch_and_still_know_each_report_again(new_url):
    """In either store: a replay is taken for what it is, another report under its id refused."""
    batches = [make_batch(FORM, seed, own=3) for seed in range(4, 10)]
    store = open_store(new_url, FORM.design, by_invitation=False)
    for batch in batches:
        sent = [Submission(*report) for report in batch.items()]
        assert set(store.settle(sent)) == {Outcome.STORED}
    sent = {each: record for batch in batches for each, record in batch.items()}
    store.set_open(False)  # what may still wait in PostgreSQL is released
    kept = store.find_records(list(sent))
    own = find_own(FORM, kept)
    assert len(own) == 3 * len(batches)
    assert set(own) != set(find_own(FORM, sent))  # by chance equal in one of 10^18 runs
    assert set(store.settle([Submission(*report) for report in sent.items()])) == {Outcome.STORED}
    other = [Submission(each, bytes([1 - r[0]]) + r[1:]) for each, r in sent.items()]
    assert set(store.settle(other)) == {Outcome.CONFLICT}
    store.close()


@pytest.mark.slow
def test_a_receipt_does_not_say_who_drew(admin):
    survey = small()
    client = admin(survey)
    receipt = "ab" * 16
    assert post(client, body(survey, (1, 0), receipt=receipt, modes="oc")).status_code == 200
    shown = client.post("/receipt", json={"receipt": receipt}).json()
    assert set(shown) == {"report", "words"}
