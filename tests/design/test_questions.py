"""Questions by the words in which people read them."""

import numpy as np
import pytest

import confide as cf


@pytest.mark.parametrize(
    ("number", "first", "last"),
    [
        (cf.Number("age", 16, 80, step=1), "16", "80"),
        (cf.Number("weight", 30.5, 50, step=0.1), "30.5 to 30.6", "49.9 to 50"),
        (cf.Number("income", 0, 1_990, step=10), "0 to 10", "1980 to 1990"),
        (cf.Number("wealth", 10_000_000, 10_000_099, step=1), "10000000", "10000099"),
        (cf.Number("odd", 0, 250, step=1), "0 to 2", "249 to 250"),  # the last holds one fewer
        (cf.Number("share", 0, 1), "0 to 0.01", "0.99 to 1"),
    ],
)
def test_an_interval_is_named_by_the_numbers_that_it_holds(number, first, last):
    assert (number.labels[0], number.labels[-1]) == (first, last)
    assert len(set(number.labels)) == number.size


def test_every_possible_number_lies_between_the_ends_that_name_its_interval():
    number = cf.Number("odd", -3, 250.5, step=0.5)
    for value in np.arange(-3, 251, 0.5):
        low, _, high = number.labels[number.grid.code(np.array([value]))[0]].partition(" to ")
        assert float(low) <= value <= float(high or low)


def test_a_table_of_merged_numbers_names_them_so_too():
    noise = cf.Group(["age"], cf.UniformNoise(5))
    design = cf.Design([cf.Number("age", 16, 75, step=1), cf.YesNo("a")], [noise])
    answers = np.stack([np.arange(120) % 60 + 16, np.arange(120) % 2], axis=1)
    table = cf.Crowd(design, design.disguise(answers, seed=1)).table(["age", "a"])
    assert next(table.rows())[0] == "16 to 21"


@pytest.mark.parametrize("low", [1_000_000, 10**12, 10**14, 10**15])
@pytest.mark.parametrize(("width", "step"), [(1, None), (1, 0.25), (100, 0.25), (100, None)])
def test_intervals_far_from_zero_have_labels_of_their_own(low, width, step):
    number = cf.Number("x", low, low + width, step=step) if fits(low, width, step) else None
    for labels in (number.labels, number.grid.labels) if number else ():
        assert len(set(labels)) == number.size
        assert "e+" not in "".join(labels)


def fits(low, width, step):
    """Whether floats tell the intervals apart: else the question is refused."""
    try:
        cf.Number("x", low, low + width, step=step)
    except cf.DesignError as error:
        assert "too narrow" in str(error)
        return False
    return True


@pytest.mark.parametrize(("count", "groups"), [(1, 1), (15, 3), (60, 60), (400, 1)])
def test_a_design_is_shown_in_one_short_line_per_group(count, groups):
    names = [f"question{i}" for i in range(count)]
    parts = [cf.Group(names[i::groups], cf.RelatedQuestion("3/4")) for i in range(groups)]
    design = cf.Design([*map(cf.YesNo, names), cf.Number("age", 0, 9)], parts, "Campus")
    head, *lines = repr(design).splitlines()
    assert head == f"Design 'Campus', {design.fingerprint[:12]}…"
    assert len(lines) == groups + 1
    assert lines[-1] == "  age: in the clear"
    assert all(len(line) <= 98 for line in lines)
    assert all(line.endswith("RelatedQuestion(truth='3/4')") for line in lines[:-1])
