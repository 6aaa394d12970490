"""What a process released since it counted: only what is durable, bounded, in no order."""

import pickle
import random
import secrets
from collections import Counter

import pytest
from support.web_surveys import small

import confide as cf
from confide.reports import recent_releases
from confide.reports.recent_releases import RecentReleases, Release
from confide.reports.report_store import ArchiveSize
from confide.reports.store import StoreError, open_store
from confide.reports.submissions import Submission
from confide.surveys.questionnaire import Questionnaire

EMPTY = ArchiveSize(0, 0)


@pytest.fixture
def design():
    held = small().design
    return cf.Design(held.questions, held.groups, title=secrets.token_hex(8))


@pytest.fixture
def store(url, design):
    store = open_store(url, design, by_invitation=False)
    yield store
    store.close()


def name(records):
    return {secrets.token_bytes(16): record for record in records}


def submissions(records):
    return [Submission(*each) for each in name(records).items()]


def numbered(n):
    return [number.to_bytes(4) for number in range(n)]


def follow(records, size=EMPTY):
    """Start to count at a size, and release records."""
    recent = RecentReleases()
    recent.take(None, size)
    release = Release(size, name(records))
    recent.note(release)
    return recent, release.after


def test_only_who_counted_last_is_given_what_came_since():
    recent, now = follow([b"yes", b"no", b"yes", None])
    assert now == (4, 1)
    assert recent.take(EMPTY, now) == {b"yes": 2, b"no": 1}
    assert recent.take(EMPTY, now) is None
    assert recent.take(now, now) == {}


@pytest.mark.parametrize("between", [(4, 2), (24, 1), (0, 0)], ids=["deleted", "more", "restored"])
def test_a_release_after_anything_else_makes_all_unknown(between):
    recent, now = follow([b"yes", b"no", b"yes", None])
    later = Release(ArchiveSize(*between), name([b"no"] * 20))
    recent.note(later)
    assert recent.take(EMPTY, later.after) is None
    recent, now = follow([b"yes", b"no", b"yes", None])
    recent.note(later)
    assert recent.take(EMPTY, now) is None


def test_nothing_is_kept_until_someone_counts():
    recent = RecentReleases()
    recent.note(Release(EMPTY, name([b"yes"] * 20)))
    assert not recent._patterns


def test_beyond_a_bound_nothing_is_kept():
    most = recent_releases.MOST
    recent, now = follow(numbered(most) * 2)
    assert len(recent._patterns) == most
    one_more = Release(now, name([b"one more"]))
    recent.note(one_more)
    assert not recent._patterns
    assert recent.take(EMPTY, one_more.after) is None


def test_what_is_kept_does_not_tell_the_order_nor_an_id():
    kept = []
    for seed in range(5):
        records = numbered(30) + numbered(15)
        random.Random(seed).shuffle(records)
        recent, now = RecentReleases(), EMPTY
        recent.take(None, now)
        reports = name(records)
        for start in range(0, 45, 9 if seed % 2 else 15):
            batch = list(reports.items())[start : start + (9 if seed % 2 else 15)]
            release = Release(now, dict(batch))
            recent.note(release)
            now = release.after
        kept.append(pickle.dumps((recent._start, recent._end, list(recent._patterns.items()))))
        assert not [each for each in reports if each in pickle.dumps(vars(recent)["_patterns"])]
    assert len(set(kept)) == 1


def test_what_is_kept_is_what_was_archived(store, design):
    """Who drew is dealt anew on the way into the archive."""
    form = Questionnaire(design)
    usual, by_hand = (form.pack((1, 0), modes) for modes in (form.modes(), form.modes([0])))
    seen = store.count_patterns_since(None).size
    others = [form.pack((number % 2, number % 2), form.modes()) for number in range(30)]
    before = Counter()
    for _ in range(3):
        store.settle(submissions([usual, by_hand, by_hand, *others, b"\xff\xff\xff\xff"]))
        found, now = store.count_patterns_since(seen), Counter(dict(store.count_patterns()))
        assert not found.is_all
        assert dict(found.patterns) == now - before
        seen, before = found.size, now
    assert seen == (102, 0)


def test_what_is_rolled_back_was_not_released(store):
    seen = store.count_patterns_since(None).size
    with pytest.raises(KeyError), store.transaction():
        store.take_in(name([b"\0\1bc"] * 20), {})
        raise KeyError
    assert not store._recent._patterns
    store.settle(submissions([b"\1\1bc"] * 20))
    found = store.count_patterns_since(seen)
    assert (found.patterns, found.is_all) == ([(b"\1\1bc", 20)], False)


def test_what_is_released_though_it_seemed_to_fail_is_read(store, monkeypatch):
    """The answer to a commit can be lost, and then nobody knows whether it was made."""
    seen, commit = store.count_patterns_since(None).size, store._commit

    def lose_answer(inbox):
        commit(inbox)
        raise StoreError("the answer was lost")

    store.settle(submissions([b"\0\1bc"] * 7))
    monkeypatch.setattr(store, "_commit", lose_answer)
    with pytest.raises(StoreError, match="lost"):
        store.set_open(False)
    monkeypatch.undo()
    store.set_open(True)
    store.settle(submissions([b"\1\1bc"] * 20))
    found = store.count_patterns_since(seen)
    assert (found.patterns, found.is_all) == ([(b"\0\1bc", 7), (b"\1\1bc", 20)], True)
