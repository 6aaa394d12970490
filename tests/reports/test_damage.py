"""Damaged records are left out and said; the rest counts. Against real databases."""

import random
import re
import secrets
import subprocess
import sys
import warnings
import zipfile

import numpy as np
import pytest
from support.web_surveys import campus, small

import confide as cf
from confide.counts.stores import count_address, count_store
from confide.reports.mixed_modes import cut_modes
from confide.reports.records import describe_damaged, find_readable
from confide.reports.store import open_store
from confide.reports.submissions import Submission
from confide.surveys.page_settings import Page
from confide.surveys.questionnaire import Questionnaire
from confide.surveys.survey import Survey
from confide.web.admin.export import list_offered_kinds, write_export
from confide.web.admin.results import estimate_questions
from confide.web.model.model_test import share_by_hand


def anew(survey):
    """The survey under a title of its own, so that a shared server holds it anew."""
    design = survey.design
    named = cf.Design(design.questions, design.groups, title=secrets.token_hex(8))
    return Survey(named, survey.page)


def sound_records(form: Questionnaire, n: int, chance: random.Random) -> list[bytes]:
    """Reports in all their shapes; some people drew for themselves."""
    own = sorted(form.by_hand)
    return [
        form.pack([chance.randrange(f.size) for f in form.fields], form.modes(own[: i % 3]))
        for i in range(n)
    ]


def damaged(record: bytes, chance: random.Random) -> bytes:
    """One record cut, lengthened, emptied, overwritten or with bits flipped."""
    kind = chance.randrange(6)
    if kind == 0:
        return record[: chance.randrange(len(record))]
    if kind == 1:
        return record + chance.randbytes(chance.randrange(1, 9))
    if kind == 2:
        return chance.randbytes(len(record))
    if kind == 3:
        return b"\0" * len(record)
    flipped = bytearray(record)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(record))
        flipped[place] ^= 1 << chance.randrange(8)
    return bytes(flipped) if kind == 4 else chance.randbytes(chance.randrange(2000))


def is_sound(form: Questionnaire, record: bytes) -> bool:
    """Whether a record is one that the web app could have written, found the slow way."""
    if len(record) != form.record.itemsize:
        return False
    *codes, modes = form._struct.unpack(record)
    if any(code >= field.size for code, field in zip(codes, form.fields, strict=True)):
        return False
    letters = modes.decode("latin-1")
    for b, block in enumerate(form.blocks):
        found = {letters[p] for p in block.positions}
        usual = form.usual_modes[block.positions[0]]
        if found != {usual} and not (b in form.by_hand and found == {"o"}):
            return False
    return True


def kept_of(form, records):
    """What a store keeps of records: of damaged ones each byte, of others all but who drew."""
    return sorted(cut_modes(form, each) if is_sound(form, each) else each for each in records)


@pytest.mark.parametrize("seed", range(4))
def test_random_damage_is_told_from_reports_as_the_slow_way_tells_it(seed):
    chance, form = random.Random(seed), campus().questionnaire
    records = sound_records(form, 300, chance)
    assert find_readable(form, records).all()
    hit = [damaged(record, chance) for record in records]
    expected = [is_sound(form, record) for record in hit]
    assert find_readable(form, hit).tolist() == expected
    assert not all(expected)
    assert find_readable(form, []).tolist() == []


@pytest.mark.slow
def test_damaged_records_are_left_out_of_every_count_and_export(url, tmp_path):
    chance, survey = random.Random(7), anew(campus())
    form = survey.questionnaire
    good = sound_records(form, 120, chance)
    hit = [damaged(record, chance) for record in good[:80]]
    bad = [d for d in hit if len(d) == len(good[0]) and not is_sound(form, d)]
    bad += [bytes([255]) * len(good[0])]
    store = open_store(url, survey.design, by_invitation=False)
    store.settle([Submission(secrets.token_bytes(16), record) for record in [*good, *bad]])
    try:
        collected = count_store(form, store)
        expected = cf.Counts.of(survey.design, form.table(b"".join(good)))
        assert (collected.n, collected.damaged) == (120, len(bad))
        assert np.array_equal(collected.counts.patterns, expected.patterns)
        assert np.array_equal(collected.counts.reports, expected.reports)
        found = estimate_questions(survey, collected)
        assert (found["n"], found["damaged"]) == (120, len(bad))
        assert 0 < share_by_hand(form, store, "cheated") < 1
        for kind in list_offered_kinds():
            write_export(form, store, kind, tmp_path / f"{kind}.zip")
            with zipfile.ZipFile(tmp_path / f"{kind}.zip") as archive:
                archive.extractall(tmp_path / kind)
            assert describe_damaged(len(bad)) in (tmp_path / kind / "README.txt").read_text("utf-8")
            if kind != "sav":
                read = cf.Counts.of(survey.design, tmp_path / kind / f"reports.{kind}")
                assert np.array_equal(read.patterns, expected.patterns)
        assert kept_of(form, store.read_records()) == kept_of(form, [*good, *bad])
        store.backup(tmp_path / "copy.db")
    finally:
        store.close()
    copy = open_store(f"sqlite:///{tmp_path}/copy.db", survey.design)
    assert kept_of(form, copy.read_records()) == kept_of(form, [*good, *bad])
    copy.close()
    with pytest.warns(UserWarning, match=re.escape(describe_damaged(len(bad)))):
        assert count_address(survey.design, url).n == 120


def test_a_store_of_damaged_records_alone_has_no_reports(url):
    survey = anew(small())
    store = open_store(url, survey.design, by_invitation=False)
    bad = b"\xff\xff\xff\xff"
    store.settle([Submission(secrets.token_bytes(16), bad) for _ in range(20)])
    assert (
        count_store(survey.questionnaire, store).n,
        count_store(survey.questionnaire, store).damaged,
    ) == (0, 20)
    assert share_by_hand(survey.questionnaire, store, "cheated") == 0
    store.close()
    with pytest.warns(UserWarning, match="20 damaged"), pytest.raises(cf.ReportsError, match="no"):
        count_address(survey.design, url)


def test_sixty_questions_and_one_damaged_record():
    design = cf.Design([cf.YesNo(f"q{i}") for i in range(60)])
    form = Survey(design, Page()).questionnaire
    good = form.pack([1] * 60, form.modes())
    bad = form.pack([1] * 59 + [2], form.modes())
    assert find_readable(form, [good, bad]).tolist() == [True, False]


@pytest.mark.slow
def test_the_command_line_notes_what_is_left_out(tmp_path):
    survey = small()
    survey.design.save(tmp_path / "survey.toml")
    url = f"sqlite:///{tmp_path}/survey.db"
    store = open_store(url, survey.design, by_invitation=False)
    records = [survey.questionnaire.pack((i % 2, 0), "bc") for i in range(60)]
    store.settle([Submission(secrets.token_bytes(16), r) for r in [*records, b"\1\7bc"]])
    store.close()
    program = [sys.executable, "-c", "from confide.cli import main; main()"]
    command = [*program, "estimate", str(tmp_path / "survey.toml"), url]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr.strip() == "confide: note: 1 damaged report is left out."
    assert "60 reports" in done.stdout


def test_sound_reports_warn_of_nothing(tmp_path):
    survey, url = small(), f"sqlite:///{tmp_path}/s.db"
    store = open_store(url, survey.design, by_invitation=False)
    store.settle([Submission(secrets.token_bytes(16), b"\1\1bc") for _ in range(20)])
    store.close()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert count_address(survey.design, url).n == 20
