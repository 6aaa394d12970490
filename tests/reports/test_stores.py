"""One contract suite: every store keeps the same promises, against real databases."""

import asyncio
import hashlib
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import numpy as np
import pytest

import confide as cf
from confide.reports.invitation_store import Redemption
from confide.reports.report_store import BATCH
from confide.reports.sqlite import SQLiteStore
from confide.reports.store import StoreError, open_store
from confide.reports.submissions import Outcome, Submission
from confide.surveys.questionnaire import Questionnaire
from confide.web.writer import Writer

numbers = count()


@pytest.fixture
def design():
    """A new design each time, so that a shared server holds a new survey each time."""
    questions = [cf.YesNo("cheated"), cf.Choice("faculty", ["arts", "law"])]
    group = cf.Group(["cheated"], cf.RelatedQuestion("3/4"))
    return cf.Design(questions, [group], title=f"{next(numbers)} {secrets.token_hex(8)}")


@pytest.fixture
def store(url, design):
    with_store = open_store(url, design, by_invitation=False)
    yield with_store
    with_store.close()


@pytest.fixture
def invited(url, design):
    with_store = open_store(url, design, by_invitation=True)
    yield with_store
    with_store.close()


def submission(record=b"\0\1bc"):
    return Submission(secrets.token_bytes(16), record)


def redemption(token):
    return Redemption(hashlib.sha256(token).digest(), secrets.token_bytes(32))


def test_a_stored_report_is_there_and_the_same_report_again_adds_nothing(store):
    sent = submission()
    assert store.settle([sent]) == [Outcome.STORED]
    assert store.settle([sent, sent]) == [Outcome.STORED] * 2
    assert store.count() == 1
    assert store.find_records([sent.id]) == {sent.id: sent.record}


def test_another_report_under_a_used_id_is_refused(store):
    sent = submission()
    altered = Submission(sent.id, b"\1\1bc")
    assert store.settle([sent, altered]) == [Outcome.STORED, Outcome.CONFLICT]
    assert store.settle([altered]) == [Outcome.CONFLICT]
    assert store.find_records([sent.id]) == {sent.id: sent.record}
    store.set_open(False)
    assert store.read_records() == [sent.record]


def test_a_withdrawn_report_is_gone_and_stays_gone(store):
    sent = submission()
    store.settle([sent, submission(b"\1\1bc")])
    assert store.withdraw(sent.id)
    assert not store.withdraw(sent.id)
    assert store.settle([sent]) == [Outcome.WITHDRAWN]
    assert store.count() == 1
    store.set_open(False)
    assert store.read_records() == [b"\1\1bc"]
    assert not store.withdraw(secrets.token_bytes(16))


def test_a_closed_survey_takes_nothing_new_but_still_knows_what_it_has(store):
    sent = submission()
    store.settle([sent])
    store.set_open(False)
    assert store.settle([sent, submission()]) == [Outcome.STORED, Outcome.CLOSED]
    assert (store.is_open(), store.by_invitation) == (False, False)
    store.set_open(True)
    assert store.settle([submission()]) == [Outcome.STORED]
    assert store.count() == 2


def test_an_invitation_is_redeemed_once_and_again_for_the_same_alone(invited):
    tokens = [secrets.token_bytes(16) for _ in range(3)]
    invited.invite(hashlib.sha256(token).digest() for token in tokens)
    first, second = redemption(tokens[0]), redemption(tokens[0])
    assert invited.redeem([first, second, first]) == [True, False, True]
    assert invited.redeem([second, first]) == [False, True]
    assert invited.redeem([redemption(b"made up")]) == [False]
    assert invited.count_invitations() == (3, 2)
    assert invited.find_unused([first.invitation]) == set()
    assert invited.find_redeemed([first.invitation, b"made up"]) == {
        first.invitation: first.blinded
    }


def test_reports_and_redemptions_are_written_together_or_not_at_all(invited):
    tokens = [secrets.token_bytes(16) for _ in range(2)]
    invited.invite(hashlib.sha256(token).digest() for token in tokens)
    sent, asked = submission(), redemption(tokens[0])
    found = invited.write([sent, sent], [asked, redemption(tokens[0])])
    assert found == ([Outcome.STORED] * 2, [True, False])
    assert (invited.count(), invited.count_invitations()) == (1, (2, 1))
    with pytest.raises(StoreError):
        invited.write([submission(b"abc")], [redemption(tokens[1])])  # one byte too few
    assert (invited.count(), invited.count_invitations()) == (1, (2, 1))


def test_a_redemption_is_known_when_batches_have_come_and_forgotten_when_all_is_closed(invited):
    tokens = [secrets.token_bytes(16) for _ in range(70)]
    invited.invite(hashlib.sha256(token).digest() for token in tokens)
    asked = [redemption(token) for token in tokens[:60]]
    for each in asked:
        assert invited.redeem([each]) == [True]
        invited.settle([submission()])
    assert invited.redeem(asked) == [True] * 60
    assert invited.redeem([redemption(token) for token in tokens[:60]]) == [False] * 60
    assert invited.count_invitations() == (70, 10)
    invited.set_open(False)
    assert invited.redeem([asked[0], redemption(tokens[65])]) == [False] * 2
    invited.set_open(True)
    assert invited.redeem([asked[0], redemption(tokens[65])]) == [False, True]
    assert invited.count_invitations() == (70, 9)


def test_a_secret_that_two_would_make_at_once_is_made_once(url, design, store):
    other = open_store(url, design)
    assert store.add_secret("key", b"first") == b"first"
    assert other.add_secret("key", b"second") == b"first"
    other.close()
    assert store.read_secret("key") == b"first"


def test_sixty_four_at_once_with_one_token_redeem_it_once(url, design, invited):
    token = secrets.token_bytes(16)
    invited.invite([hashlib.sha256(token).digest()])
    stores = [open_store(url, design) for _ in range(4)]
    outcomes = []

    def send(store):
        outcomes.extend(store.redeem([redemption(token)]))

    threads = [threading.Thread(target=send, args=(stores[i % 4],)) for i in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in stores:
        each.close()
    assert sorted(outcomes) == [False] * 63 + [True]
    assert invited.count_invitations() == (1, 0)


def test_the_same_report_through_several_processes_at_once_is_stored_once(url, design, store):
    sent, altered = submission(), []
    stores = [open_store(url, design) for _ in range(4)]
    outcomes = []

    def send(each):
        outcomes.extend(each.settle([sent]))
        altered.extend(each.settle([Submission(sent.id, b"\1\1bc")]))

    threads = [threading.Thread(target=send, args=(each,)) for each in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in stores:
        each.close()
    assert outcomes == [Outcome.STORED] * 4
    assert altered == [Outcome.CONFLICT] * 4
    assert store.count() == 1


def test_patterns_and_records_are_what_analysts_count(store, design):
    form = Questionnaire(design)
    codes = [(0, 1), (1, 1), (1, 1), (0, 0)]
    store.settle([submission(form.pack(each, "bc")) for each in codes * 5])
    table = form.table(b"".join(store.read_records()))
    assert sorted(table.column("cheated").to_pylist()) == ["no"] * 10 + ["yes"] * 10
    assert dict(store.count_patterns())[form.pack((1, 1), "bc")] == 10
    counts = cf.Counts.of(design, table)
    assert counts.n == 20
    assert np.array_equal(counts.table(["cheated", "faculty"]), [[5, 5], [0, 10]])


def test_secrets_are_kept_and_replaced(store):
    assert store.read_secret("password") is None
    store.set_secret("password", b"one")
    store.set_secret("password", b"two")
    assert store.read_secret("password") == b"two"


def test_a_store_is_reopened_only_as_it_was_made(url, design, store):
    store.settle([submission()])
    again = open_store(url, design)
    assert again.count() == 1
    again.close()
    with pytest.raises(StoreError, match="without invitations"):
        open_store(url, design, by_invitation=True)


@pytest.mark.usefixtures("store")
def test_another_design_does_not_find_the_reports(url):
    other = cf.Design([cf.YesNo("other")])
    with pytest.raises(StoreError, match=r"another survey|no reports of this design"):
        open_store(url, other)
    if url.startswith("sqlite"):
        with pytest.raises(StoreError, match="another survey"):
            open_store(url, other, by_invitation=False)


def test_a_backup_under_load_is_a_whole_copy(store, design, tmp_path):
    sent = [submission() for _ in range(300)]
    store.settle(sent[:100])
    stop = threading.Event()

    def load():
        for each in sent[100:]:
            store.settle([each])
            if stop.is_set():
                return

    thread = threading.Thread(target=load)
    thread.start()
    store.backup(tmp_path / "copy.db")
    stop.set()
    thread.join()
    copy = SQLiteStore(tmp_path / "copy.db", design)
    assert 100 <= copy.count() == copy.count_released() <= store.count_released()
    assert copy.settle(sent[:100]) == [Outcome.STORED] * 100
    copy.close()
    with pytest.raises(StoreError, match="exists already"):
        store.backup(tmp_path / "copy.db")


def test_the_writer_answers_each_with_its_own_outcome(store):
    sent = [submission() for _ in range(200)]
    altered = [Submission(each.id, b"\1\1bc") for each in sent]

    async def send():
        writer = Writer(store)
        first = await asyncio.gather(*map(writer.submit, sent))
        second = await asyncio.gather(*map(writer.submit, [*altered, *sent]))
        n = await writer.run(store.count)
        writer.close()
        return first, second, n

    with ThreadPoolExecutor() as pool:  # the browser of other tests has a loop in this thread
        first, second, n = pool.submit(lambda: asyncio.run(send())).result()
    assert first == [Outcome.STORED] * 200
    assert second == [Outcome.CONFLICT] * 200 + [Outcome.STORED] * 200
    assert n == 200


def test_reports_are_released_in_whole_batches(store):
    for n in range(1, 2 * BATCH + 5):
        store.settle([submission()])
        store.tidy()
        assert store.count() == n
        assert store.count_released() == len(store.read_records())
        assert store.count_released() == n - n % BATCH


def test_only_the_first_closing_releases_an_unfinished_batch(store):
    """Otherwise whoever may close a survey could look at reports one by one."""
    store.settle([submission()])
    assert store.count_released() == 0
    store.set_open(False)
    assert store.count_released() == 1
    store.set_open(True)
    store.settle([submission()])
    store.set_open(False)
    assert (store.count(), store.count_released()) == (2, 1)


def test_many_reports_find_room_and_are_found_again(store):
    sent = [submission() for _ in range(3_000)]
    for start in range(0, 3_000, 250):
        assert set(store.settle(sent[start : start + 250])) == {Outcome.STORED}
    withdrawn = sent[::100]
    assert all(store.withdraw(each.id) for each in withdrawn)
    known = store.find_records([each.id for each in sent])
    assert len(known) == 3_000
    assert {i for i, record in known.items() if record is None} == {each.id for each in withdrawn}
    assert store.count() == 3_000 - len(withdrawn)
    assert set(store.settle(sent)) == {Outcome.STORED, Outcome.WITHDRAWN}


def test_ids_that_are_all_alike_fill_no_bucket(store):
    """A bucket is chosen by a hash with a key: who chooses ids cannot make the store grow."""
    store.settle([Submission(i.to_bytes(16), b"\0\1bc") for i in range(1_000)])
    ((buckets,),) = store._rows("SELECT buckets FROM state")
    assert buckets <= 64


def test_a_record_of_another_length_is_refused(store):
    with pytest.raises(StoreError, match=r"has 4 bytes\. Got 3"):
        store.settle([submission(b"abc")])


def test_a_copy_holds_released_reports_and_unused_invitations_alone(design, invited, tmp_path):
    tokens = [secrets.token_bytes(16) for _ in range(60)]
    invited.invite(hashlib.sha256(token).digest() for token in tokens)
    invited.set_secret("password", b"kept here")
    invited.redeem([redemption(token) for token in tokens[:51]])
    invited.settle([submission() for _ in range(50)])
    gone = submission()
    invited.settle([gone])
    invited.backup(tmp_path / "copy.db")
    assert b"kept here" not in (tmp_path / "copy.db").read_bytes()
    copy = SQLiteStore(tmp_path / "copy.db", design)
    assert (copy.count(), copy.count_invitations()) == (50, (60, 9))
    assert copy.find_records([gone.id]) == {}
    assert copy.redeem([redemption(tokens[51]), redemption(tokens[3])]) == [True, False]
    with pytest.raises(StoreError, match="Use a new one"):
        copy.write_copy(invited.read_copy())
    copy.close()


def test_an_unknown_kind_of_database_is_named():
    with pytest.raises(StoreError, match="sqlite:///"):
        open_store("mysql://host", cf.Design([cf.YesNo("a")]))
    with pytest.raises(StoreError, match="no database"):
        open_store("sqlite:///absent.db", cf.Design([cf.YesNo("a")]))


@pytest.mark.parametrize("again", [False, True], ids=["the first time", "again"])
def test_what_arrives_together_takes_four_ways_to_postgresql_and_back(
    postgres, design, monkeypatch, again
):
    """Under load the ways cost more than the work: begin, archive, invitations, inbox and end."""
    import psycopg

    store = open_store(postgres, design, by_invitation=True)
    tokens = [secrets.token_bytes(8) for _ in range(8)]
    redemptions = [redemption(each) for each in tokens]
    store.invite([each.invitation for each in redemptions])
    if again:
        store.redeem(redemptions)
    ways, execute, together = [], psycopg.Cursor.execute, psycopg.Connection.pipeline

    def counted(cursor, *arguments, **options):
        if cursor.connection.info.pipeline_status == psycopg.pq.PipelineStatus.OFF:
            ways.append(arguments[0])
        return execute(cursor, *arguments, **options)

    def counted_together(connection):
        ways.append("several")
        return together(connection)

    monkeypatch.setattr(psycopg.Cursor, "execute", counted)
    monkeypatch.setattr(psycopg.Connection, "pipeline", counted_together)
    outcomes, signed = store.write([submission() for _ in range(8)], redemptions)
    assert (set(outcomes), set(signed)) == ({Outcome.STORED}, {True})
    assert len(ways) == 4
    store.close()
