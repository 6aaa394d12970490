"""Attacks on a stolen copy of the store: who came when, who used what, what is gone.

Whoever copies all files of a store while reports trickle in looks for the bytes of ids and hashes
that they know, and guesses the order of two reports from where those lie. The property: of two
reports that were released the order is guessed right in at most 52 %. What waits for its batch is
known to be late, whatever is done: with 19 of n waiting that is a share of 19 / n of all pairs.
Reports come on ten days, and the files tell how many were released on each: the same holds of two
reports of different days alone, whose order is that of their days.

Power: the pairs of one run are not independent. Where nothing tells the order the share of pairs
guessed right is ½ + |τ| / 2 with Kendall's τ, whose variance is 2 (2n + 5) / 9n (n − 1): of 4,500
reports (10 million pairs) the share has a standard deviation of 0.50 %, so that 52 % is four of
them away from chance, and a guess that is right in 55 % of the pairs is six above the limit. Ids
and keys are drawn anew in each run; seven guesses, each of all pairs and twice of those of two
days, raise a false alarm once in 700 runs or less.
"""

import asyncio
import random
import re
import secrets
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from support.fault_harness import FULL
from support.thief import Thief

import confide as cf
from confide.reports import sql_days
from confide.reports.invitation_store import Redemption
from confide.reports.packed_reports import Packing
from confide.reports.report_store import BATCH
from confide.reports.store import open_store
from confide.reports.submissions import Outcome, Submission
from confide.web.writer import Writer

REPORTS, MOST_RIGHT = (20_000 if FULL else 4_500), 0.52
FEWER = 1_000
"""Enough for what keeps the order, which is found from its standard deviation of 1.1 % on."""
DESIGN = cf.Design([cf.Choice("long", [f"option {i}" for i in range(300)])], title="Attacked")


def seeded(seed, n):
    chance = random.Random(seed)
    return [
        Submission(chance.randbytes(16), bytes([i % 256, i // 256 % 2]) + b"c") for i in range(n)
    ]


def find_day(place, n):
    """The day of March on which a report comes, of ten."""
    return 1 + 10 * place // n


def send_all(store, reports, calendar):
    """Send reports a few at a time, as they come in; wait until all full batches are released."""
    start, chance = 0, random.Random()
    while start < len(reports):
        today = f"2026-03-{find_day(start, len(reports)):02}"
        calendar.setattr(sql_days, "find_today", lambda today=today: today)
        end = start + chance.choice([1, 1, 2, 3, 8, 15, 40, 90])
        assert set(store.settle(reports[start:end])) == {Outcome.STORED}
        store.tidy()
        start = end
    while not store.tidy():
        time.sleep(0.1)


def find_released(store, sent):
    """Those of some ids that are released; the rest, which whoever has the files can read, waits.

    The place of each in its bucket is told, too: whoever has the files can read that as well.
    """
    with store.transaction():
        waiting = set(store._now.reports)
        packed = [row[0] for row in store._rows("SELECT reports FROM archive")]
    assert len(waiting) < BATCH
    rank = {i: n for each in packed for n, i in enumerate(store._packing.unpack(each))}
    return {i: rank[i] for i in sent if i not in waiting}


def share_right(places, days=None):
    """The share of pairs whose order the places tell, whichever way they run.

    Reports that lie in one place are guessed by a coin. With their days, only pairs of two days
    are guessed.
    """
    places, later, pairs = np.asarray(places), 0, 0
    for i in range(len(places)):
        last = i + 1 if days is None else np.searchsorted(days, days[i], "right")
        later += np.sign(places[last:] - places[i]).sum()
        pairs += len(places) - last
    return 0.5 + abs(later) / (2 * pairs)


def find_places(copy, ids):
    """The first and the last place of each id in a copy: a quick search for many at once."""
    places, heads = {each: [] for each in ids}, np.array([each[:4] for each in ids]).view("<u4")
    for shift in range(4):
        words = np.frombuffer(copy, "<u4", (len(copy) - shift) // 4, shift)
        for at in np.flatnonzero(np.isin(words, heads)) * 4 + shift:
            if copy[at : at + 16] in places:
                places[copy[at : at + 16]].append(at)
    assert all(places.values()), "the thief looks in the wrong place"
    return np.array([(min(each), max(each)) for each in places.values()]).T


def guess_order(copy, ranks, days=None, counted=()):
    """The best share of pairs that looking for ids gives, of ids in the order in which they came.

    Guessed from the first and the last place, in all files or in a page, and from that in a bucket;
    of two days also by dealing the reports, in the order of their places, to the days as counted.
    """
    pages = (1 << 62, 4096, 8192)
    guesses = [each % page for page in pages for each in find_places(copy, list(ranks))]
    guesses.append(np.array(list(ranks.values())))
    right = [share_right(each) for each in guesses]
    if days is not None:
        ends = np.cumsum(counted)
        dealt = [np.searchsorted(ends, np.argsort(np.argsort(g)), "right") for g in guesses]
        right += [share_right(each, days) for each in (*guesses, *dealt)]
    return max(right)


def attack_order(thief, store, n, calendar):
    """Send so many reports on ten days, and let the thief guess their order."""
    sent = [Submission(secrets.token_bytes(16), bytes([i % 256, 0]) + b"c") for i in range(n)]
    send_all(store, sent, calendar)
    ranks = find_released(store, [each.id for each in sent])
    counted = store.count_days()
    assert len(counted) >= 8 and sum(counted.values()) == len(ranks)
    days = np.array([find_day(i, n) for i, each in enumerate(sent) if each.id in ranks])
    right = guess_order(thief.copy(), ranks, days, list(counted.values()))
    store.close()
    return right


@pytest.mark.slow
def test_no_copy_tells_the_order_of_reports(thief, monkeypatch):
    store = open_store(thief.url, DESIGN, by_invitation=False)
    assert attack_order(thief, store, REPORTS, monkeypatch) <= MOST_RIGHT


def append_to_buckets(packing, packed, reports):
    """What a bucket would be that takes reports as they come."""
    return b"".join([*packing._split(packed), *(packing._pack_one(*r) for r in reports.items())])


@pytest.mark.slow
def test_a_store_that_keeps_the_order_is_found_out(thief, monkeypatch):
    """The wrong twin: buckets that grow at their end."""
    monkeypatch.setattr(Packing, "merge", append_to_buckets)
    monkeypatch.setattr(Packing, "pack", lambda self, held: append_to_buckets(self, b"", held))
    store = open_store(thief.url, DESIGN, by_invitation=False)
    assert attack_order(thief, store, FEWER, monkeypatch) > 0.6


def update_buckets(store, buckets):
    """What a database would do that overwrites rows as everyone does."""
    for number, packed in buckets.items():
        sql = "UPDATE archive SET reports = %s WHERE number = %s"
        store._connection.execute(sql, (packed, number))


@pytest.mark.slow
@pytest.mark.parametrize("twin", [False, True], ids=["as it is", "overwritten"])
def test_rows_of_postgresql_tell_no_order_by_their_place_or_transaction(server, monkeypatch, twin):
    if twin:
        monkeypatch.setattr("confide.reports.postgres.PostgresStore._write_buckets", update_buckets)
    design = cf.Design([cf.YesNo("asked")], title=secrets.token_hex(8))
    store = open_store(server.url, design, by_invitation=False)
    for _ in range(15):  # one transaction a batch, however busy the machine is
        store.settle([Submission(secrets.token_bytes(16), b"\0c") for _ in range(20)])
    with store.transaction():
        rows = store._rows("SELECT xmin::text, ctid::text, number FROM archive")
    store.close()
    transactions = {xmin for xmin, _, _ in rows}
    places = [tuple(map(int, ctid.strip("()").split(","))) for _, ctid, _ in rows]
    in_place = [number for _, (_, _, number) in sorted(zip(places, rows, strict=True))]
    # all written by one transaction, in the order of a hash of random ids
    assert (len(transactions) == 1 and in_place == sorted(in_place)) != twin


def test_a_file_of_sqlite_is_the_same_whatever_the_order_was(tmp_path):
    """The strongest statement: not a byte of the file depends on who came first."""
    sent, held = seeded(2, 700), []
    for turn in range(2):
        file = tmp_path / f"{turn}.db"
        store = open_store(f"sqlite:///{file}", DESIGN, by_invitation=False)
        with store.transaction():  # one key, so that files can be compared
            store._execute("UPDATE state SET hash_key = ?", (bytes(range(32)),))
        for start in range(0, 700, 20):
            store.settle(sent[start : start + 20])
        store.close()
        held.append(file.read_bytes())
        sent = random.Random(3).sample(sent, 700)
    assert held[0] == held[1]


class Person(NamedTuple):
    """A report, and the invitation that its sender redeems first."""

    id: bytes
    record: bytes
    invitation: bytes

    async def report(self, writer):
        """Redeem and send, as the web app lets it be written."""
        assert await writer.redeem(Redemption(self.invitation, self.invitation[::-1]))
        assert await writer.submit(Submission(self.id, self.record)) is Outcome.STORED


def trickle(store, people, between):
    """Send reports one after the other through the writer, as the web app does."""

    async def send():
        writer = Writer(store)
        for each in people:
            await each.report(writer)
            await asyncio.to_thread(between, each)
        writer.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, send()).result()


def read_noted(store):
    """The redeemed invitations that an inbox notes: whoever has the files can read them."""
    with store.transaction():
        return set(store._now.redeemed)


@pytest.mark.slow
def test_no_copy_ties_an_invitation_to_fewer_reports_than_a_batch(thief):
    """Copies from just after an answer, once a batch has come.

    The newest invitation must look as at least a batch of used ones do: kept apart, or noted among
    others. And neither SQLite's log nor PostgreSQL's transaction numbers may pair the two.
    """
    chance = random.Random(9)
    tokens = [chance.randbytes(32) for _ in range(400)]
    sent = [
        Person(each.id, each.record, token)
        for each, token in zip(seeded(4, 70), tokens, strict=False)
    ]
    store = open_store(thief.url, DESIGN, by_invitation=True)
    store.invite(tokens)
    store.tidy()
    came, alike, paired = [], [], []

    def take_looks():
        copy, noted = thief.copy(), read_noted(store)
        return copy, [(each.invitation in copy, each.invitation in noted) for each in came]

    def look(newest):
        came.append(newest)
        if len(came) <= BATCH or chance.random() > 0.15:
            return
        time.sleep(chance.uniform(0.3, 0.6))
        copy, looks = take_looks()
        before = None
        while looks != before:  # a table was half on disk, or a release came in between
            before = looks
            copy, looks = take_looks()
        alike.append(looks.count(looks[-1]))
        paired.append(pair_by_log(thief.folder, came) + pair_by_transaction(copy, came))

    trickle(store, sent, look)
    store.close()
    assert min(alike) >= BATCH
    assert max(paired) == 0


def pair_by_log(folder, came):
    """In how many commits of SQLite's log do fewer invitations and reports change than a batch?"""
    log = folder / "survey.db-wal"
    held = log.read_bytes() if log.exists() else b""
    file, size = (folder / "survey.db").read_bytes() if held else b"", 4096
    pages = {i // size + 1: file[i : i + size] for i in range(0, len(file), size)}
    found, before, after = 0, b"", b""
    for start in range(32, len(held), 24 + size):
        number, commit = struct.unpack(">II", held[start : start + 8])
        page = held[start + 24 : start + 24 + size]
        before, after = before + pages.get(number, b""), after + page
        pages[number] = page
        if commit:
            hashes = sum(before.count(c.invitation) != after.count(c.invitation) for c in came)
            ids = sum(before.count(c.id) != after.count(c.id) for c in came)
            found += 0 < hashes < BATCH and 0 < ids < BATCH
            before, after = b"", b""
    return found


def pair_by_transaction(copy, came):
    """How many rows that are a report's were made by who deleted a row that is an invitation?

    In PostgreSQL's files a row begins with the number of the transaction that made it and that of
    the one that deleted it; a first column of bytes follows after 24 bytes and a byte of length.
    """
    made = {number for each in came for number, _ in read_rows(copy, each.id)}
    deleted = {number for each in came for _, number in read_rows(copy, each.invitation)}
    return len(made & deleted - {0})


def read_rows(copy, column):
    """Who made and who deleted the rows that begin with a column of these bytes."""
    length = bytes([2 * len(column) + 3])  # as PostgreSQL writes that of a short one
    places = (each.start() for each in re.finditer(re.escape(length + column), copy))
    return [struct.unpack("<II", copy[at - 24 : at - 16]) for at in places if at >= 24]


def holds(copy, person):
    """Whether a person's report is there, as bytes of an archive or in letters of an inbox."""
    end = person.id[-4:] + b"\1" + person.record  # two rows of an inbox can share a report
    return end in copy or end.hex().encode() in copy


@pytest.mark.slow
def test_nothing_withdrawn_or_redeemed_is_in_any_file_two_seconds_after_it_is_over(thief):
    sent = seeded(6, 45)
    chance = random.Random(10)
    tokens = [chance.randbytes(32) for _ in range(60)]
    sent = [
        Person(each.id, chance.randbytes(3), token)
        for each, token in zip(sent, tokens, strict=False)
    ]
    store = open_store(thief.url, DESIGN, by_invitation=True)
    store.invite(tokens)

    async def act():
        writer = Writer(store)
        for each in sent:
            await each.report(writer)
        both = (sent[3], sent[-1])
        for _ in range(20):  # what is written anew just then is in no file for a moment
            before = await asyncio.to_thread(thief.copy)
            if all(holds(before, each) for each in both):
                break
            await asyncio.sleep(0.25)
        assert all(holds(before, each) for each in both)
        for each in both:  # one in the archive, one in the inbox, as a rule
            assert await writer.run(lambda each=each: store.withdraw(each.id))
        await asyncio.sleep(2)
        after = await asyncio.to_thread(thief.copy)
        await writer.run(lambda: store.set_open(False))
        await asyncio.sleep(2)
        closed = await asyncio.to_thread(thief.copy)
        writer.close()
        return after, closed

    with ThreadPoolExecutor(1) as pool:
        after, closed = pool.submit(asyncio.run, act()).result()
    store.close()
    assert not holds(after, sent[3]) and not holds(after, sent[-1])
    assert not any(token in closed for token in tokens[:45])
    assert all(token in closed for token in tokens[45:])


@pytest.mark.slow
def test_a_reader_at_the_wrong_moment_only_delays_the_emptying_of_the_log(tmp_path):
    import apsw

    thief = Thief(f"sqlite:///{tmp_path}/survey.db", tmp_path)
    store = open_store(thief.url, DESIGN, by_invitation=False)
    reader = apsw.Connection(str(tmp_path / "survey.db"))
    reader.execute("BEGIN")
    list(reader.execute("SELECT * FROM archive"))

    async def act():
        writer = Writer(store)
        for each in seeded(8, 30):
            await writer.submit(each)
        await asyncio.sleep(0.3)
        log = tmp_path / "survey.db-wal"
        assert log.stat().st_size
        reader.execute("COMMIT")
        await asyncio.sleep(2)
        size = log.stat().st_size
        writer.close()
        return size

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, act()).result() == 0
    reader.close()
    store.close()


def test_the_thief_finds_what_lies_in_the_order_it_came(tmp_path):
    """A twin that is wrong: with ids appended as they come, the same guesses are always right."""
    sent = seeded(11, 200)
    Path(tmp_path / "log").write_bytes(b"".join(each.id for each in sent))
    copy = Thief("", tmp_path).copy()
    assert guess_order(copy, {each.id: 0 for each in sent}) == 1.0
