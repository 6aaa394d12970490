"""Networks from disguised reports, against all graphs, whole matrices and known truths."""

from __future__ import annotations

import json
from itertools import combinations, product

import numpy as np
import pytest
from scipy.optimize import minimize
from support.designs import whole_matrix

import confide as cf
from confide.mining.model_envelope import close_envelope
from confide.mining.network.graph import Graph
from confide.mining.network.network_fit import ReportTables, fit_network, measure_covariance
from confide.mining.network.network_learning import learn_network

DIAMOND = Graph(((), (0,), (0,), (1, 2), (3,)))
"""a → b, a → c, b and c → d, d → e."""


def flips(truth, groups, count):
    names = "abcdefgh"[:count]
    parts = np.array_split(list(names), groups) if groups else []
    return cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group(part.tolist(), cf.RelatedQuestion(truth)) for part in parts],
    )


def people(graph, rows, seed):
    """Yes-no answers that depend on their parents' with the log odds −0.3 ± 1.5."""
    generator = np.random.default_rng(seed)
    table = np.zeros((rows, len(graph.parents)), int)
    for child in graph.order:
        odds = np.full(rows, -0.3)
        for sign, parent in zip((1.5, -1.5, 1.5), graph.parents[child], strict=False):
            odds += sign * (2 * table[:, parent] - 1)
        table[:, child] = generator.random(rows) < 1 / (1 + np.exp(-odds))
    return table


def count(design, graph, rows, seed):
    answers = people(graph, rows, seed)
    return [cf.Counts.of(design, design.disguise(answers, seed=seed) if design.groups else answers)]


def all_graphs(count):
    """Every graph of so many questions: each pair unjoined or joined one way or the other."""
    found = []
    pairs = list(combinations(range(count), 2))
    for ways in product((0, 1, 2), repeat=len(pairs)):
        parents = [[] for _ in range(count)]
        for (a, b), way in zip(pairs, ways, strict=True):
            if way:
                parents[b if way == 1 else a].append(a if way == 1 else b)
        try:
            found.append(Graph(tuple(tuple(sorted(own)) for own in parents)))
        except ValueError:  # a cycle
            continue
    return found


@pytest.fixture(scope="module")
def fitted():
    design = flips(0.8, 2, 5)
    return cf.DisguisedNetwork(design, surveys=2).fit(count(design, DIAMOND, 4_000, 1)[0])


@pytest.mark.slow
def test_data_tell_a_direction_where_all_graphs_of_the_pattern_share_it():
    by_pattern = {}
    for graph in all_graphs(4):
        by_pattern.setdefault(graph.pattern, []).append(graph)
    assert sum(map(len, by_pattern.values())) == 543 and len(by_pattern) == 185
    for alike in by_pattern.values():
        shared = frozenset.intersection(*(frozenset(graph.edges) for graph in alike))
        assert alike[0].told_edges == shared
        assert set(alike[0].list_alike(100)) == set(alike)


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "truth", "seed"), [(0, 1, 1), (0, 1, 2), (1, 0.7, 3)])
def test_no_network_of_four_questions_is_better_than_the_one_that_is_found(groups, truth, seed):
    graph = Graph(((), (), (0, 1), (2,)))
    batches = count(flips(truth, groups, 4), graph, 3_000, seed)
    found = learn_network(batches, "abcd", "search", 3)
    reports = ReportTables.of(batches, "abcd")
    patterns = {each.pattern: each for each in all_graphs(4)}.values()
    best = max(fit_network(reports, each, found.joint).score for each in patterns)
    assert found.score == pytest.approx(best, abs=0.05)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_in_the_clear_the_score_is_that_of_plain_counting(seed):
    answers = people(DIAMOND, 500, seed)
    reports = ReportTables.of([cf.Counts.of(flips(1, 0, 5), answers)], "abcde")
    score = 0.0
    for child, own in enumerate(DIAMOND.parents):
        score -= 2 ** len(own) * np.log(500) / 2
        for values in product((0, 1), repeat=len(own)):
            rows = answers[(answers[:, own] == values).all(axis=1), child]
            for answer in (0, 1):
                given = np.count_nonzero(rows == answer)
                score += given * np.log((given + 0.5) / (len(rows) + 1))
    assert fit_network(reports, DIAMOND).score == pytest.approx(score, abs=1e-6)


@pytest.mark.slow
def test_tables_are_the_most_likely_ones_through_the_whole_matrix():
    """The oracle: Σ n log(M p) with the matrix written out, climbed by scipy."""
    graph, design = Graph(((), (0,), (0, 1))), flips(0.75, 1, 3)
    batches = count(design, graph, 2_000, 1)
    fitted = fit_network(ReportTables.of(batches, "abc"), graph)
    matrix, _ = whole_matrix(design)
    reported = batches[0].table("abc").ravel()

    def loss(odds):
        a, b, c = np.split(1 / (1 + np.exp(-odds)), [1, 3])
        joint = [
            (a[0] if x else 1 - a[0])
            * (b[x] if y else 1 - b[x])
            * (c[2 * x + y] if z else 1 - c[2 * x + y])
            for x, y, z in product((0, 1), repeat=3)
        ]
        chances = np.concatenate([a, b, c])
        return -reported @ np.log(matrix @ joint) - (np.log(chances) + np.log1p(-chances)).sum() / 2

    found = minimize(loss, np.zeros(7), method="BFGS", options={"gtol": 1e-6})
    expected = 1 / (1 + np.exp(-found.x))
    np.testing.assert_allclose(
        np.concatenate([table[:, 1] for table in fitted.tables]), expected, atol=1e-4
    )


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(("groups", "truth"), [(1, 0.7), (2, 0.75), (5, 0.8)])
def test_as_reports_grow_the_network_is_found_exactly(groups, truth):
    batches = count(flips(truth, groups, 5), DIAMOND, 16_000, 1)
    assert learn_network(batches, "abcde", "search", 3).graph.pattern == DIAMOND.pattern


@pytest.mark.statistical
def test_reports_taken_for_answers_give_edges_that_are_not_there():
    """The twin: rare answers are independent, but the coin that a group shares joins reports."""
    hidden, clear = flips(0.75, 1, 4), flips(1, 0, 4)
    answers = (np.random.default_rng(1).random((4_000, 4)) < 0.1).astype(int)
    reports = hidden.disguise(answers, seed=1)
    batches = [cf.Counts.of(hidden, reports)]
    assert learn_network(batches, "abcd", "search", 3).graph.edges == ()
    believed = [cf.Counts.of(clear, reports)]
    assert len(learn_network(believed, "abcd", "search", 3).graph.edges) >= 3


@pytest.mark.statistical
def test_the_tree_is_that_of_chow_and_liu():
    """A tree's own data give it back; an unjoined question stays alone."""
    chain = Graph(((), (0,), (1,), (1,), ()))
    batches = count(flips(0.8, 2, 5), chain, 8_000, 1)
    assert learn_network(batches, "abcde", "tree", 3).graph == chain


@pytest.mark.slow
@pytest.mark.statistical
def test_errors_of_tables_say_how_far_they_are_off():
    """Of 40 surveys: table entries, in units of their errors, deviate by 1 ± 3 of 1/√(2·40)."""
    design, graph = flips(0.8, 3, 3), Graph(((), (0,), (1,)))
    true = 1 / (1 + np.exp(-np.array([-0.3, -1.8, 1.2, -1.8, 1.2])))
    scores = []
    for seed in range(40):
        reports = ReportTables.of(count(design, graph, 3_000, seed), "abc")
        fitted = fit_network(reports, graph)
        errors = np.sqrt(np.diag(measure_covariance(reports, fitted)))
        found = np.concatenate([table[:, 1] for table in fitted.tables])
        scores.append((np.log(found / (1 - found)) - np.log(true / (1 - true))) / errors)
    assert np.abs(np.sqrt(np.square(scores).mean(axis=0)) - 1).max() < 3 / np.sqrt(2 * 40)


@pytest.mark.slow
def test_queries_are_those_of_the_joint_written_out(fitted):
    sample = fitted.sample(40_000, seed=1).to_pydict()
    tables = {name: np.array(sample[name]) == "yes" for name in "abcde"}
    found = fitted.query("d", given={"a": "yes", "e": "no"})
    chosen = tables["a"] & ~tables["e"]
    drawn = tables["d"][chosen].mean()
    assert found["yes"].value == pytest.approx(drawn, abs=4 * 0.5 / np.sqrt(chosen.sum()))
    joint = 0.0
    rows = {name: fitted.conditional_table(name) for name in "abcde"}
    for values in product(("no", "yes"), repeat=5):
        answers = dict(zip("abcde", values, strict=True))
        if answers["a"] == "yes" and answers["e"] == "no":
            share = np.prod([chance(rows[name], answers, name) for name in "abcde"])
            joint = joint + share * np.array([answers["d"] == "no", answers["d"] == "yes"])
    np.testing.assert_allclose(
        [found[value].value for value in ("no", "yes")], joint / joint.sum(), atol=1e-12
    )
    alone = fitted.conditional_table("a")[0].chances["yes"]
    assert fitted.query("a")["yes"].standard_error == pytest.approx(alone.standard_error, rel=1e-4)


def chance(rows, answers, name):
    (row,) = (row for row in rows if row.given.items() <= answers.items())
    return row.chances[answers[name]].value


@pytest.mark.slow
def test_edges_tell_their_strength_and_pictures_are_drawn(fitted):
    told = {(edge.parent, edge.child) for edge in fitted.edges_ if edge.directed}
    assert told == {("b", "d"), ("c", "d"), ("d", "e")}
    assert all(edge.gain > 5 and edge.support == 1 for edge in fitted.edges_)
    assert '"b" -> "d" [penwidth=4.00];' in fitted.dot()
    assert '"a" -> "b" [penwidth=4.00, dir=none];' in fitted.dot()
    assert len(json.dumps(fitted.plot().to_dict())) > 1_000


@pytest.mark.slow
def test_a_file_keeps_everything(fitted, tmp_path):
    fitted.max_parents = np.int64(fitted.max_parents)
    fitted.save(tmp_path / "network.json")
    loaded = cf.load_model(tmp_path / "network.json")
    assert repr(loaded) == repr(fitted) and loaded.dot() == fitted.dot()
    given = {"a": "yes", "e": "no"}
    assert loaded.query("d", given) == fitted.query("d", given)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda learned: learned["parents"].update(a=["d"]), "in a circle through a, b, c, d"),
        (lambda learned: learned["parents"].update(a=["a"]), "in a circle through a"),
        (lambda learned: learned["parents"].update(a=["x"]), "a has a parent that is not there: x"),
        (lambda learned: learned["parents"].pop("a"), "the parents of other questions than its"),
        (lambda learned: learned["tables"].pop(), "tables of 5 questions"),
        (lambda learned: learned["edges"].pop(), "its edges are not those of its parents"),
        (lambda learned: learned["edges"][0].update(directed=True), "its edges are not those of"),
        (lambda learned: learned["edges"][0].update(gain="much"), "an edge whose strength is no"),
        (lambda learned: learned["edges"][0].update(support=[1]), "an edge whose strength is no"),
        (lambda learned: learned["covariance"][0].__setitem__(0, -1), "a negative variance"),
    ],
)
def test_a_file_whose_parts_do_not_fit_each_other_is_refused(fitted, tmp_path, change, words):
    """Its checksum is right again. A circle is told by the questions on it alone."""
    path = tmp_path / "network.json"
    fitted.save(path)
    contents = json.loads(path.read_text())
    change(contents["learned"])
    del contents["checksum"], contents["format"], contents["version"]
    path.write_text(json.dumps(close_envelope(contents)))
    words = f"^network.json holds no sound model: .*{words}[.a-z ]*$"
    with pytest.raises(cf.ModelError, match=words):
        cf.load_model(path)


def test_a_question_that_all_answer_alike_stands_alone():
    design = flips(1, 0, 3)
    answers = people(Graph(((), (0,), ())), 400, 1)
    answers[:, 2] = 1
    network = cf.DisguisedNetwork(design, surveys=0).fit(answers)
    assert [(edge.parent, edge.child) for edge in network.edges_] == [("a", "b")]
    assert network.query("c")["yes"].value > 0.99


def test_few_reports_near_a_half_truth_give_no_edges_and_wide_intervals():
    design = flips(0.55, 5, 5)
    network = cf.DisguisedNetwork(design, surveys=0).fit(count(design, DIAMOND, 30, 1)[0])
    assert network.edges_ == ()
    low, high = network.query("b", given={"a": "yes"})["yes"].interval()
    assert 0 <= low < 0.2 and 0.8 < high <= 1


@pytest.mark.slow
def test_bad_input_is_one_line():
    design = flips(0.8, 2, 5)
    reports = count(design, DIAMOND, 300, 1)[0]
    network = cf.DisguisedNetwork(design, method="tree", surveys=0).fit(reports)
    for ask, words in (
        (lambda: network.query("x"), "'x' is no question of this network"),
        (lambda: network.query("a", {"a": "yes"}), "'a' is asked for and given"),
        (lambda: network.query("a", {"b": "perhaps"}), "b"),
        (lambda: network.query("a", ["b"]), "given must name questions with their answers"),
        (lambda: cf.DisguisedNetwork(design, method="best").fit(reports), '"search" or "tree"'),
        (lambda: cf.DisguisedNetwork(design, max_parents=0).fit(reports), "max_parents must be"),
        (lambda: cf.DisguisedNetwork(design, questions=["a"]).fit(reports), "at least two"),
        (lambda: cf.DisguisedNetwork(design, questions="abc").fit(reports), "question 'abc'"),
        (lambda: network.sample(0), "n must be a whole number"),
    ):
        with pytest.raises(cf.ConfideError, match=words) as error:
            ask()
        assert "\n" not in str(error.value)
    names = [f"q{i}" for i in range(17)]
    wide = cf.Design([cf.YesNo(name) for name in names])
    with pytest.raises(cf.ModelError, match=r"a network takes 65,536\. Name fewer questions"):
        cf.DisguisedNetwork(wide).fit(np.zeros((30, 17), int))
    aged = cf.Design([cf.YesNo("a"), cf.YesNo("b"), cf.Number("age", 16, 80)])
    with pytest.raises(cf.ModelError, match="age is a number"):
        cf.DisguisedNetwork(aged, questions=["a", "age"]).fit(np.array([[1, 0, 20]] * 30))
