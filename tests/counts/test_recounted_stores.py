"""Counts that grow with a store are those of all its reports, whatever happens in between."""

import random
import secrets
import threading
import time
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.properties import examples
from support.web_surveys import small

import confide as cf
from confide.counts.stores import CountedStore, count_store, recount_store
from confide.reports import recent_releases
from confide.reports.store import StoreError, open_store
from confide.reports.submissions import Submission
from confide.surveys.questionnaire import Questionnaire

DAMAGED = b"\xff\xff\xff\xff"

pytestmark = pytest.mark.slow


class Fielded:
    """A survey of its own in a database, with two servers that write and one that only reads."""

    def __init__(self, url):
        held = small().design
        self.design = cf.Design(held.questions, held.groups, title=secrets.token_hex(8))
        self.form = Questionnaire(self.design)
        if url.startswith("sqlite"):
            url = url.replace("survey.db", f"{secrets.token_hex(8)}.db")
        opened = [open_store(url, self.design, by_invitation=False) for _ in range(3)]
        *self.servers, self.reader = opened
        self.counted = [CountedStore(), CountedStore()]
        self.ids = []

    def close(self):
        for each in (*self.servers, self.reader):
            each.close()

    def draw(self, n, seed):
        """Make reports: some drawn by hand, some damaged."""
        chance, form = random.Random(seed), self.form
        sent = []
        for _ in range(n):
            codes = [chance.randrange(field.size) for field in form.fields]
            record = form.pack(codes, form.modes([0] if chance.random() < 0.2 else []))
            record = DAMAGED if chance.random() < 0.1 else record
            sent.append(Submission(secrets.token_bytes(16), record))
        self.ids += [each.id for each in sent]
        return sent

    def report(self, server, n):
        """Let reports come in, and be released at once."""
        self.servers[server].settle(self.draw(n, n))

    def report_served(self, server, n):
        """Let reports come in as in a server, where PostgreSQL releases beside."""
        store = self.servers[server]
        store.write(self.draw(n, n), [])
        while not store.tidy():
            time.sleep(0.002)

    def roll_back(self, server, n):
        """Let reports come in and be released, and then undo it."""
        with suppress(KeyError), self.servers[server].transaction():
            self.servers[server].take_in({each.id: each.record for each in self.draw(n, n)}, {})
            raise KeyError

    def lose_answer(self, server, n):
        """Let the answer of the database be lost after it has committed, now or the second time."""
        store = self.servers[server]
        commit, lost = store._commit, iter([n % 2, True])

        def commit_and_fail(inbox):
            commit(inbox)
            if next(lost):
                raise StoreError("the answer was lost")

        store._commit = commit_and_fail
        with suppress(StoreError):
            store.settle(self.draw(n, n))
        del store._commit

    def withdraw(self, server, n):
        """Delete one report, if there are any."""
        if self.ids:
            self.servers[server].withdraw(self.ids[n * 7 % len(self.ids)])

    def close_survey(self, server, _):
        self.servers[server].set_open(False)

    def reopen(self, server, _):
        self.servers[server].set_open(True)

    def look(self, server, _=0):
        """Let a dashboard count, and compare it with a count of all."""
        store = self.servers[server]
        found = self.counted[server] = recount_store(self.form, store, self.counted[server])
        compare(found, count_store(self.form, self.reader))


def compare(found, expected):
    assert (found.n, found.damaged) == (expected.n, expected.damaged)
    assert found.size.archived - found.size.withdrawn == found.n + found.damaged
    assert (found.counts is None) == (expected.counts is None)
    if found.counts is not None:
        for part in ("patterns", "reports"):
            mine, whole = getattr(found.counts, part), getattr(expected.counts, part)
            assert mine.dtype == whole.dtype and np.array_equal(mine, whole)
        assert [found.counts.kind(each) for each in found.counts.design.names] == [None, None]


@pytest.fixture
def fielded(url):
    survey = Fielded(url)
    yield survey
    survey.close()


OFTEN = (Fielded.report, Fielded.report_served, Fielded.look)
SELDOM = (
    Fielded.withdraw,
    Fielded.roll_back,
    Fielded.lose_answer,
    Fielded.close_survey,
    Fielded.reopen,
)
STEPS = st.tuples(
    st.sampled_from([*OFTEN * 3, *SELDOM]), st.sampled_from([0, 0, 0, 1]), st.integers(1, 45)
)


@settings(examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, min_size=5, max_size=25))
def test_growing_counts_are_those_of_all_reports(url, steps):
    survey = Fielded(url)
    try:
        for step, server, n in steps:
            step(survey, server, n)
        for server in (0, 1):
            survey.look(server)
    finally:
        survey.close()


def test_one_deleted_and_one_new_report_are_seen(fielded):
    """The number of reports is as before, and the reports are others."""
    usual, other = (fielded.form.pack(codes, fielded.form.modes()) for codes in ((0, 0), (1, 1)))
    sent = [Submission(secrets.token_bytes(16), usual) for _ in range(20)]
    fielded.servers[0].settle(sent)
    fielded.look(0)
    fielded.servers[1].withdraw(sent[0].id)
    fielded.servers[1].settle([Submission(secrets.token_bytes(16), other)])
    fielded.close_survey(1, 0)
    fielded.look(0)
    assert fielded.counted[0].n == 20
    assert fielded.counted[0].counts.table(["cheated", "faculty"]).tolist() == [[19, 0], [0, 1]]


def list_readings(fielded, monkeypatch):
    """List the statements by which the first server reads the archive from here on."""
    store, read, found = fielded.servers[0], fielded.servers[0]._read, []

    def noted(sql):
        if "FROM archive" in sql:
            found.append(sql)
        return read(sql)

    monkeypatch.setattr(store, "_read", noted)
    return found


@pytest.mark.parametrize("report", [Fielded.report, Fielded.report_served])
def test_reports_of_the_same_server_are_counted_without_reading_again(fielded, monkeypatch, report):
    found = list_readings(fielded, monkeypatch)
    report(fielded, 0, 30)
    fielded.look(0)
    assert len(found) == 1
    for n in (20, 45, 20, 33):
        report(fielded, 0, n)
        fielded.look(0)
    report(fielded, 0, 7)
    fielded.close_survey(0, 0)
    fielded.look(0)
    fielded.reopen(0, 0)
    assert len(found) == 1


def test_what_another_server_changes_is_read_and_then_counts_grow_again(fielded, monkeypatch):
    found = list_readings(fielded, monkeypatch)
    fielded.look(0)
    changes = (Fielded.report, Fielded.report_served, Fielded.withdraw)
    for readings, change in enumerate(changes, 2):
        change(fielded, 1, 25)
        fielded.report(0, 25)
        fielded.look(0)
        assert len(found) == readings
        fielded.report(0, 25)
        fielded.look(0)
        assert len(found) == readings


def test_where_too_much_came_all_is_read_once(fielded, monkeypatch):
    monkeypatch.setattr(recent_releases, "MOST", 3)
    found = list_readings(fielded, monkeypatch)
    fielded.look(0)
    fielded.report(0, 45)
    assert not fielded.servers[0]._recent._patterns
    fielded.look(0)
    assert len(found) == 2
    same = [Submission(secrets.token_bytes(16), DAMAGED) for _ in range(20)]
    fielded.servers[0].settle(same)
    fielded.look(0)
    assert len(found) == 2


@pytest.mark.parametrize("server", [0, 1], ids=["the same server", "another server"])
@pytest.mark.parametrize("reading", [1, 2], ids=["before all is read", "after all is read"])
def test_what_is_released_between_two_readings_counts_once(fielded, monkeypatch, server, reading):
    store, readings = fielded.servers[0], []
    read = store._read

    def report_after(sql):
        found = read(sql)
        readings.append(sql)
        if len(readings) == reading:
            fielded.report(server, 25)
        return found

    fielded.report(0, 30)
    monkeypatch.setattr(store, "_read", report_after)
    found = recount_store(fielded.form, store, CountedStore())
    assert found.n + found.damaged == found.size.archived == (55 if reading == 1 else 30)
    fielded.counted[0] = found
    fielded.look(0)
    fielded.report(0, 25)
    fielded.look(0)


def test_who_looks_just_when_a_release_is_durable_counts_it_once(fielded, monkeypatch):
    recent = fielded.servers[0]._recent
    note = recent.note

    def look_before(release):
        fielded.look(0)
        note(release)

    fielded.look(0)
    monkeypatch.setattr(recent, "note", look_before)
    fielded.report(0, 25)
    monkeypatch.undo()
    fielded.look(0)
    fielded.report(0, 25)
    fielded.look(0)


def test_counts_that_grow_while_two_servers_write_are_always_those_of_one_moment(fielded):
    failures = []

    def write(server):
        chance = random.Random(server)
        for _ in range(40):
            try:
                fielded.report_served(server, chance.randint(1, 40))
                if chance.random() < 0.2:
                    fielded.withdraw(server, chance.randrange(1000))
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=write, args=(server,)) for server in (0, 1)]
    for thread in threads:
        thread.start()
    found, sizes, store = CountedStore(), set(), fielded.servers[0]
    while any(thread.is_alive() for thread in threads):
        found = recount_store(fielded.form, store, found)
        assert found.size.archived - found.size.withdrawn == found.n + found.damaged
        sizes.add(found.size)
    for thread in threads:
        thread.join()
    assert len(sizes) > 3
    compare(recount_store(fielded.form, store, found), count_store(fielded.form, fielded.reader))
    # while PostgreSQL's archive is read, deleting is refused
    assert [each for each in failures if "lock timeout" not in str(each)] == []
