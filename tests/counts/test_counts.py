"""Counting, merging, keeping and refusing reports."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs, labelled, random_codes
from support.properties import examples

import confide as cf
from confide.counts.counts import FINGERPRINT

SEEDS = st.integers(0, 2**31)
DESIGN = cf.Design(
    [cf.YesNo("cheated"), cf.Choice("faculty", ["arts", "law"]), cf.Number("age", 16, 80, step=1)],
    [cf.Group(["cheated", "faculty"], cf.RelatedQuestion("3/4"))],
)
ROWS = {"cheated": ["yes", "no", "no"], "faculty": ["law", "law", "arts"], "age": [16, 80, 30]}
OTHER = cf.Design(DESIGN.questions, [cf.Group(["cheated"], cf.RelatedQuestion("2/3"))])


def tally(counts):
    """Counts as a dictionary of patterns."""
    return dict(zip(map(tuple, counts.patterns.tolist()), counts.reports.tolist(), strict=True))


@pytest.mark.slow
@examples(50)
@given(designs(), SEEDS, st.integers(1, 99))
def test_the_counts_of_two_batches_add_up_to_those_of_all(design, seed, cut):
    codes = random_codes(design, 100, seed)
    whole, first, rest = (
        cf.Counts.of(design, labelled(design, part)) for part in (codes, codes[:cut], codes[cut:])
    )
    assert tally(first + rest) == tally(rest + first) == tally(whole)
    assert tally(whole) == Counter(map(tuple, codes.tolist()))
    assert (first + rest).n == whole.n == 100


@pytest.mark.parametrize("questions", [3, 20, 40, 70])
def test_patterns_of_any_number_of_questions_are_counted_and_sorted(questions):
    generator = np.random.default_rng(questions)
    few = generator.integers(0, 2, size=(300, questions), dtype=np.int8)
    rows = few[generator.integers(0, 300, size=2000)]
    design = cf.Design([cf.YesNo(f"q{i}") for i in range(questions)])
    counts = cf.Counts.of(design, rows)
    assert tally(counts) == Counter(map(tuple, rows.tolist()))
    assert counts.patterns.tolist() == sorted(counts.patterns.tolist())
    some = [f"q{i}" for i in (2, 0)]
    naive = np.zeros((2, 2))
    for row in rows:
        naive[row[2], row[0]] += 1
    np.testing.assert_array_equal(counts.table(some), naive)


def test_counts_come_back_from_a_file_as_they_were_saved(tmp_path):
    counts = cf.Counts.of(DESIGN, pa.table(ROWS))
    counts.save(tmp_path / "counts.parquet")
    assert tally(cf.Counts.load(DESIGN, tmp_path / "counts.parquet")) == tally(counts)
    assert [path.name for path in tmp_path.iterdir()] == ["counts.parquet"]


def test_saved_counts_are_never_taken_for_reports(tmp_path):
    counts = cf.Counts.of(DESIGN, pa.table(ROWS))
    (counts + counts).save(tmp_path / "counts.parquet")
    assert cf.Crowd(DESIGN, tmp_path / "counts.parquet").n == 6


@pytest.mark.parametrize("size", [2, 20])  # few cells, and more than a table holds
def test_what_came_later_is_what_is_left_of_all(size):
    design = cf.Design([cf.YesNo(f"q{i}") for i in range(size)])
    first, second = np.random.default_rng(4).integers(0, 2, (2, 90, size))
    monday = cf.Counts.of(design, first)
    came = monday.add(second) - monday
    assert tally(came) == Counter(map(tuple, second.tolist()))
    assert came.n == cf.Crowd(design, came).n == 90


def test_reports_that_are_gone_are_said_and_never_counted_below_zero():
    design = cf.Design([cf.YesNo("a")])
    monday = cf.Counts.of(design, np.array([1, 1, 1, 0]))
    friday = cf.Counts.of(design, np.array([1, 0, 0, 0, 0, 0]))
    with pytest.warns(UserWarning, match="2 of the 4 earlier reports are not among the later"):
        came = friday - monday
    assert came.table(["a"]).tolist() == [4, 0]


def test_counts_are_not_taken_from_fewer_or_others():
    counts = cf.Counts.of(DESIGN, pa.table(ROWS))
    with pytest.raises(cf.ReportsError, match="Give the later counts first"):
        counts - (counts + counts)
    with pytest.raises(cf.ReportsError, match="two different designs"):
        counts + counts - cf.Counts.of(OTHER, pa.table(ROWS))


@pytest.mark.parametrize("of", [cf.Counts.load, cf.Counts.of])
def test_counts_of_another_design_are_refused_by_fingerprint(of, tmp_path):
    cf.Counts.of(DESIGN, pa.table(ROWS)).save(tmp_path / "counts.parquet")
    with pytest.raises(cf.ReportsError, match=DESIGN.fingerprint[:12]):
        of(OTHER, tmp_path / "counts.parquet")


def test_counts_in_memory_of_another_design_are_refused():
    ours, theirs = (cf.Counts.of(design, pa.table(ROWS)) for design in (DESIGN, OTHER))
    with pytest.raises(cf.ReportsError, match="another design"):
        cf.Crowd(DESIGN, theirs)
    with pytest.raises(cf.ReportsError, match=r"Crowd\.pool"):
        ours + theirs
    assert cf.Counts.of(DESIGN, ours) is ours


@pytest.mark.parametrize(
    "spoilt", ["truncated", "other columns", "codes too large", "of nobody", "no integers"]
)
def test_a_spoilt_file_of_counts_is_refused(spoilt, tmp_path):
    path = tmp_path / "counts.parquet"
    cf.Counts.of(DESIGN, pa.table(ROWS)).save(path)
    table = pq.read_table(path)
    if spoilt == "truncated":
        path.write_bytes(path.read_bytes()[:-20])
    elif spoilt == "other columns":
        pq.write_table(table.select(["age", ""]), path)
    elif spoilt == "codes too large":
        pq.write_table(table.set_column(0, "cheated", pa.array([0, 1, 2])), path)
    elif spoilt == "of nobody":
        last = table.num_columns - 1
        pq.write_table(table.set_column(last, "", pa.array([0, 0, 0])), path)
    else:
        pq.write_table(table.set_column(0, "cheated", pa.array([0.0, 1.0, None])), path)
    with pytest.raises(cf.ReportsError, match=r"counts\.parquet"):
        cf.Counts.load(DESIGN, path)


@pytest.mark.parametrize("kinds", [b"{", b"\xff", b"5", b'["texts"]'])
def test_counts_whose_kinds_cannot_be_read_are_in_the_words_of_the_design(kinds, tmp_path):
    counts = cf.Counts.of(DESIGN, pa.table(ROWS))
    counts.save(tmp_path / "counts.parquet")
    table = pq.read_table(tmp_path / "counts.parquet")
    metadata = {**table.schema.metadata, b"confide.kinds": kinds}
    pq.write_table(table.replace_schema_metadata(metadata), tmp_path / "counts.parquet")
    loaded = cf.Counts.load(DESIGN, tmp_path / "counts.parquet")
    assert loaded.kinds == () and loaded.n == counts.n


def test_reports_of_another_design_are_refused_by_the_fingerprint_in_their_file(tmp_path):
    path = tmp_path / "reports.parquet"
    table = pa.table(ROWS).replace_schema_metadata({FINGERPRINT: OTHER.fingerprint})
    pq.write_table(table, path)
    assert cf.Counts.of(OTHER, path).n == 3
    with pytest.raises(cf.ReportsError, match=r"reports\.parquet was made under another design"):
        cf.Counts.of(DESIGN, path)
    pq.write_table(pa.table(ROWS), tmp_path / "alike.parquet")
    with pytest.raises(cf.ReportsError, match=r"reports\.parquet was made under another design"):
        cf.Counts.of(DESIGN, tmp_path)


@pytest.mark.parametrize("column", ["cheated", "faculty", "age"])
def test_one_report_outside_its_domain_leaves_nothing_counted(column):
    rows = {name: values * 1000 for name, values in ROWS.items()}
    rows[column] = rows[column][:-1] + ([99] if column == "age" else ["Sentinel"])
    with pytest.raises(
        cf.ReportsError, match=f"'{column}' holds .* in 1 of 3,000 reports"
    ) as error:
        cf.Counts.of(DESIGN, pa.table(rows))
    assert "Sentinel" not in str(error.value) and "99" not in str(error.value)


BROKEN = {
    "nothing.csv": (b"", "no column"),
    "header.csv": (b"cheated,faculty,age\n", "no reports"),
    "lacking.csv": (b"cheated,age\nyes,20\n", "no column 'faculty'"),
    "twice.csv": (b"cheated,faculty,age,age\nyes,law,20,30\n", "two columns 'age'"),
    "ragged.csv": (b"cheated,faculty,age\nyes,law,20\nno,arts\n", "damaged"),
    "longer.csv": (b"cheated,faculty,age\nyes,law,20,7\n", "damaged"),
    "unclosed.csv": (b'cheated,faculty,age\nyes,"law,20\n', "damaged"),
    "latin.csv": ("cheated,faculty,age\nyes,é,20\n".encode("latin-1"), "UTF-8"),
    "text.csv": (b"cheated,faculty,age\nyes,law,old\n", "'age' holds no number .* in 1 of 1"),
    "text.parquet": (b"cheated,faculty,age\nyes,law,20\n", "as Parquet"),
    "empty.parquet": (b"", "as Parquet"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_in_one_line(name, tmp_path):
    content, said = BROKEN[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(cf.ReportsError, match=said) as error:
        cf.Counts.of(DESIGN, tmp_path / name)
    assert "\n" not in str(error.value)
    assert "age" in said or name in str(error.value) or "no reports" in said


@pytest.mark.parametrize("kept", [0.2, 0.6, 0.999])
def test_a_truncated_parquet_file_is_refused(kept, tmp_path):
    path = tmp_path / "reports.parquet"
    rows = {name: values * 10_000 for name, values in ROWS.items()}
    pq.write_table(pa.table(rows), path)
    path.write_bytes(path.read_bytes()[: int(kept * path.stat().st_size)])
    with pytest.raises(cf.ReportsError, match=r"cannot read reports\.parquet as Parquet"):
        cf.Counts.of(DESIGN, path)


def test_a_parquet_file_with_a_spoilt_page_is_refused(tmp_path):
    path = tmp_path / "reports.parquet"
    generator = np.random.default_rng(1)
    rows = {n: generator.choice(np.array(v), 50_000) for n, v in ROWS.items()}
    pq.write_table(pa.table(rows), path, compression="zstd")
    content = bytearray(path.read_bytes())
    content[100 : len(content) // 2] = bytes(len(content) // 2 - 100)
    path.write_bytes(content)
    with pytest.raises(cf.ReportsError, match=r"cannot read reports\.parquet as Parquet"):
        cf.Counts.of(DESIGN, path)


def test_files_that_are_not_there_are_named(tmp_path):
    for path in (tmp_path / "none.parquet", tmp_path / "none.csv", str(tmp_path / "no*.parquet")):
        with pytest.raises(cf.ReportsError, match="there is no file no"):
            cf.Counts.of(DESIGN, path)
    (tmp_path / "void").mkdir()
    with pytest.raises(cf.ReportsError, match="no Parquet file in the folder void"):
        cf.Counts.of(DESIGN, tmp_path / "void")


def test_quotes_that_appear_late_in_a_csv_file_are_still_quotes(tmp_path):
    path = tmp_path / "reports.csv"
    design = cf.Design([cf.Choice("faculty", ["arts", "law, civil", "#1"])])
    path.write_text("faculty\n" + "arts\n" * 30_000 + '"law, civil"\n#1\n', encoding="utf-8")
    assert tally(cf.Counts.of(design, path)) == {(0,): 30_000, (1,): 1, (2,): 1}


def test_a_line_of_a_csv_file_that_begins_with_a_hash_is_no_comment(tmp_path):
    path = tmp_path / "reports.csv"
    numbers = {"choices": ["#", "#0", "#1"], "missing": "option"}
    design = cf.Design([cf.Choice("a", **numbers), cf.Choice("b", **numbers)])
    path.write_text("a,b\n#,#0\n#,\n,#0\n#,\n#1,#1\n", encoding="utf-8")
    assert tally(cf.Counts.of(design, path)) == {(0, 1): 1, (0, 3): 2, (3, 1): 1, (2, 2): 1}


@pytest.mark.parametrize(
    ("reports", "said"),
    [
        ([1, 0], "Got list"),
        ({"cheated": [1]}, "Got dict"),
        (None, "Got NoneType"),
        (7, "Got int"),
        (np.zeros((4, 2)), r"3 columns.*\(4, 2\)"),
        (np.zeros((4, 3, 1)), r"3 columns.*\(4, 3, 1\)"),
        (np.zeros((0, 3)), "no reports"),
        (pd.DataFrame([[1, 1]], columns=["cheated", "cheated"]), "same name"),
    ],
)
def test_what_is_no_table_of_reports_is_refused(reports, said):
    with pytest.raises(cf.ReportsError, match=said):
        cf.Counts.of(DESIGN, reports)


def test_more_options_than_a_short_integer_counts_are_counted():
    design = cf.Design([cf.Choice("code", range(40_000)), cf.YesNo("b")])
    rows = np.array([[39_999, 1], [39_999, 1], [5, 0]])
    assert tally(cf.Counts.of(design, rows)) == {(5, 0): 1, (39_999, 1): 2}
    words = pa.table({"code": ["39999", "39999", "5"], "b": ["yes", "yes", "no"]})
    assert tally(cf.Counts.of(design, words)) == {(5, 0): 1, (39_999, 1): 2}


@pytest.mark.parametrize("kind", ["i1", "u1", "i8", "u8", "f4", "f8"])
def test_whole_numbers_of_every_width_are_options(kind):
    options = [250, 3, 1] if kind not in ("i1",) else [100, -3, 1]
    design = cf.Design([cf.Choice("a", options), cf.Choice("b", [-1, 0, 1]), cf.YesNo("c")])
    rows = np.array([[options[0], 1, 1], [1, 0, 0], [1, 0, 0]]).astype(kind)
    assert tally(cf.Counts.of(design, rows)) == {(0, 2, 1): 1, (2, 1, 0): 2}
    rows[0] = 77
    with pytest.raises(cf.ReportsError, match="'a' holds none of its options in 1 of 3 reports"):
        cf.Counts.of(design, rows)


@pytest.mark.parametrize("name", ["c.csv", "c", "c.parquet.gz", "c.json"])
def test_counts_are_saved_only_under_the_name_of_what_they_are(tmp_path, name):
    counts = cf.Counts.of(DESIGN, pa.table(ROWS))
    with pytest.raises(cf.ReportsError, match=r"must end in \.parquet"):
        counts.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    counts.save(tmp_path / "C.PARQUET")
    assert cf.Counts.load(DESIGN, tmp_path / "C.PARQUET").n == counts.n


@pytest.mark.parametrize("name", ["reports.xlsx", "reports.txt", "reports", "reports.parquet.gz"])
def test_a_file_of_no_known_kind_is_refused_with_those_that_are(tmp_path, name):
    (tmp_path / name).write_text("a")
    with pytest.raises(cf.ReportsError, match=r"must end in \.parquet, \.feather, \.arrow, \.csv"):
        cf.Counts.of(DESIGN, tmp_path / name)


def test_a_subset_keeps_so_many_reports_of_each_pattern_and_drops_what_is_empty():
    counts = cf.Counts.of(cf.Design([cf.YesNo("a"), cf.YesNo("b")]), np.array([[0, 1], [1, 1]] * 3))
    kept = counts.subset(np.array([0, 2]))
    assert tally(kept) == {(1, 1): 2}
    assert (kept.n, counts.n) == (2, 6)


@pytest.fixture
def thousand(tmp_path):
    """A folder of a thousand small Parquet files."""
    folder = tmp_path / "reports"
    folder.mkdir()
    pq.write_table(pa.table(ROWS), folder / "part-0000.parquet")
    for number in range(1, 1_000):
        (folder / f"part-{number:04}.parquet").hardlink_to(folder / "part-0000.parquet")
    return folder


def replace_part(folder, contents):
    """Put another table, or other bytes, in the place of one of the files."""
    part = folder / "part-0613.parquet"
    part.unlink()
    if isinstance(contents, bytes):
        part.write_bytes(contents)
    else:
        pq.write_table(contents, part)


@pytest.mark.slow
def test_a_bad_file_among_a_thousand_is_named(thousand):
    """Cut off, with a spoilt page, of another type, without a column: each is one line."""
    whole = (thousand / "part-0000.parquet").read_bytes()
    table = pa.table(ROWS)
    spoilt = whole[:4] + bytes(40) + whole[44:]
    dates = table.set_column(0, "cheated", pa.array([None] * len(table), pa.date32()))
    for contents, said in (
        (whole[:-9], "cannot read part-0613.parquet as Parquet"),
        (spoilt, "cannot read part-0613.parquet as Parquet"),
        (dates, "part-0613.parquet holds 'cheated' as date32"),
        (table.drop_columns("cheated"), "part-0613.parquet"),
    ):
        replace_part(thousand, contents)
        with pytest.raises(cf.ReportsError, match=re.escape(said)) as caught:
            cf.Counts.of(DESIGN, thousand)
        assert "\n" not in str(caught.value)
    replace_part(thousand, table)
    assert cf.Counts.of(DESIGN, thousand).n == 1_000 * len(table)


def test_a_growing_survey_is_counted_day_by_day(tmp_path):
    """Saved counts and the new reports give what all reports give; nothing wrong is half added."""
    table = pa.table(ROWS)
    whole = cf.Counts.of(DESIGN, pa.concat_tables([table, table.slice(1), table.slice(2)]))
    cf.Counts.of(DESIGN, table).save(tmp_path / "counts.parquet")
    first = cf.Counts.load(DESIGN, tmp_path / "counts.parquet")
    grown = first.add(table.slice(1)).add(cf.Counts.of(DESIGN, table.slice(2)))
    assert tally(grown) == tally(whole)
    assert grown.kinds == whole.kinds
    before = tally(first)
    with pytest.raises(cf.ReportsError):
        first.add(pa.table({**ROWS, "cheated": ["perhaps"] * len(table)}))
    with pytest.raises(cf.ReportsError, match="another design"):
        first.add(cf.Counts.of(OTHER, table))
    assert tally(first) == before
