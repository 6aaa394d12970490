"""`confide tree`, `bayes`, `rules` and `score`, run as a person would."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import confide as cf


@pytest.fixture
def reports(confide, survey):
    for name, seed in (("reports.parquet", 1), ("test.parquet", 2)):
        assert confide("disguise", survey, "answers.parquet", "-o", name, "--seed", seed).code == 0
    return survey


LEARN = ("survey.toml", "reports.parquet", "--target", "cheated")


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize("verb", ["tree", "bayes"])
def test_a_model_is_learned_saved_and_scored(confide, verb):
    ran = confide(verb, *LEARN, "-o", "model.json", "--test", "test.parquet")
    assert ran.code == 0, ran.err
    assert "2,000 reports" in ran.out and "Accuracy" in ran.out
    saved = cf.load_model("model.json")
    assert saved.accuracy_.n == 2_000
    ran = confide("score", "survey.toml", "model.json", "test.parquet")
    assert ran.code == 0 and "recall of yes" in ran.out
    found = json.loads(confide("score", "survey.toml", "model.json", "test.parquet", "--json").out)
    assert found["scores"]["accuracy"]["value"] == pytest.approx(saved.accuracy_.value)
    confide("score", "survey.toml", "model.json", "test.parquet", "-o", "score.json")
    assert json.loads(Path("score.json").read_text()) == found
    total = sum(cell["value"] for row in found["confusion"] for cell in row)
    assert total == pytest.approx(1)
    assert found["most_likely_accuracy"] is None  # these reports tell enough
    pq.write_table(pq.read_table("test.parquet").slice(0, 4), "few.parquet")
    few = ("score", "survey.toml", "model.json", "few.parquet")
    likely = json.loads(confide(*few, "--json").out)["most_likely_accuracy"]
    assert f"The most likely accuracy is {likely:.3f}" in confide(*few).out


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
def test_a_tree_is_drawn_and_printed(confide):
    ran = confide("tree", *LEARN, "--picture", "tree.svg", "--max-depth", "2", "--prune", "mdl")
    assert ran.code == 0 and "n ≈" in ran.out and "--test" in ran.out
    assert Path("tree.svg").read_text().startswith("<svg")
    found = json.loads(confide("tree", *LEARN, "--criterion", "gini", "--json").out)
    assert found["format"] == "confide-model" and found["accuracy"] is None


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize("verb", ["tree", "bayes"])
@pytest.mark.parametrize("test", [(), ("--test", "test.parquet")])
def test_json_prints_the_model_that_output_writes(confide, verb, test):
    printed = confide(verb, *LEARN, *test, "-o", "model.json", "--json").out
    assert json.loads(printed) == json.loads(Path("model.json").read_text())
    Path("printed.json").write_text(printed)
    saved, again = cf.load_model("model.json"), cf.load_model("printed.json")
    assert saved.get_params()["target"] == again.get_params()["target"] == "cheated"
    assert saved._write_learned() == again._write_learned()


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
def test_in_every_json_what_is_infinite_is_called_so_and_null_is_not_known(confide):
    confide("tree", *LEARN, "-o", "model.json")
    infinite = {}
    for verb, *rest in (
        ("check", "survey.toml"),
        ("privacy", "survey.toml"),
        ("plan", "survey.toml", "--respondents", "500"),
        ("estimate", "survey.toml", "reports.parquet"),
        ("rules", "survey.toml", "reports.parquet"),
        ("score", "survey.toml", "model.json", "reports.parquet"),
        ("tree", *LEARN),
        ("bayes", *LEARN),
        ("demo",),
    ):
        ran = confide(verb, *rest, "--json")
        assert ran.code == 0, ran.err
        text = json.dumps(json.loads(ran.out, parse_constant=pytest.fail))
        infinite[verb] = text.count('"infinite"')
        for key in ("epsilon", "odds_ratio", "person_epsilon"):
            assert f'"{key}": null' not in text, (verb, key)
    assert all(infinite[verb] for verb in ("check", "privacy", "plan"))


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
def test_rules_are_listed(confide):
    ran = confide("rules", "survey.toml", "reports.parquet", "--min-confidence", "0.6")
    assert ran.code == 0 and "confidence" in ran.out and "→ " in ran.out
    found = json.loads(confide("rules", "survey.toml", "reports.parquet", "--json").out)
    assert found["n"] == 2_000
    assert {"if", "then", "support", "confidence", "lift"} == set(found["rules"][0])
    asked = ("--target", "cheated", "-o", "rules.json")
    assert confide("rules", "survey.toml", "reports.parquet", *asked).code == 0
    written = json.loads(Path("rules.json").read_text())
    concluding = [rule for rule in found["rules"] if "cheated" in rule["then"]]
    assert written["rules"] == concluding and len(concluding) < len(found["rules"])
    assert confide("rules", "survey.toml", "reports.parquet", "--target", "nothing").code == 2


@pytest.mark.parametrize("verb", ["tree", "bayes", "rules", "score"])
def test_help_shows_an_example(confide, verb):
    ran = confide(verb, "--help")
    assert ran.code == 0 and f"confide {verb} survey.toml" in ran.out


@pytest.mark.slow
def test_mistakes_are_one_line(confide, reports):
    ran = confide("tree", "survey.toml", "reports.parquet", "--target", "nothing")
    assert ran.code == 2 and "target must be one of" in ran.err and "Traceback" not in ran.err
    confide("tree", *LEARN, "-o", "model.json")
    other = reports.with_name("other.toml")
    other.write_text(reports.read_text().replace('truth = "3/4"', 'truth = "4/5"'))
    ran = confide("score", other, "model.json", "test.parquet")
    assert ran.code == 2 and "another design" in ran.err
    ran = confide("tree", *LEARN, "--picture", "tree.pdf", "-o", "other.json")
    assert ran.code == 2 and ".svg or .png" in ran.err and not Path("other.json").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
def test_what_is_not_known_is_null_and_a_dash(confide):
    """A stump predicts one class: the precision of the other is a ratio to nobody."""
    design = cf.Design.load("survey.toml")
    reports = cf.Counts.of(design, "reports.parquet")
    model = cf.DisguisedTreeClassifier(design, "cheated").fit(cf.Crowd(design, reports))
    model.tree_ = model.tree_.cut([0])
    model.save("stump.json")
    scored = ("score", "survey.toml", "stump.json", "test.parquet")
    values = [
        each["value"] for each in json.loads(confide(*scored, "--json").out)["scores"].values()
    ]
    assert None in values
    shown = confide(*scored).out
    assert "–" in shown and "nan" not in shown


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize("verb", ["tree", "bayes", "rules"])
def test_a_terminal_shows_how_far_a_learner_is(confide, monkeypatch, verb):
    arguments = LEARN[:2] if verb == "rules" else LEARN
    assert "%" not in confide(verb, *arguments).err
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "100%" in confide(verb, *arguments).err


@pytest.mark.slow
def test_rules_are_found_with_weights(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.csv", "--seed", 1)
    lines = Path("reports.csv").read_text(encoding="utf-8").splitlines()
    weighed = [lines[0] + ",w", *(f"{line},{1 + i % 3}" for i, line in enumerate(lines[1:]))]
    Path("weighed.csv").write_text("\n".join(weighed), encoding="utf-8")
    plain = json.loads(confide("rules", survey, "reports.csv", "--max-length", 2, "--json").out)
    ran = confide("rules", survey, "weighed.csv", "--weights", "w", "--max-length", 2, "--json")
    found = json.loads(ran.out)
    assert found["n"] == plain["n"] == 2_000 and found["rules"]
    assert found["rules"][0]["support"] != plain["rules"][0]["support"]


@pytest.mark.usefixtures("reports")
def test_a_model_is_scored_with_the_weights_it_was_tested_with(confide):
    table = pq.read_table("test.parquet")
    pq.write_table(table.append_column("w", [[1 + i % 3 for i in range(len(table))]]), "w.parquet")
    literal = ("bayes", "survey.toml", "w.parquet", "--target", "cheated", "--method", "literal")
    tested = (*literal, "--weights", "w", "--test", "w.parquet", "-o", "model.json", "--json")
    accuracy = json.loads(confide(*tested).out)["accuracy"]["value"]
    score = ("score", "survey.toml", "model.json", "w.parquet", "--json")
    weighed, plain = (
        json.loads(confide(*score, *more).out)["scores"]["accuracy"]["value"]
        for more in (("--weights", "w"), ())
    )
    assert weighed == pytest.approx(accuracy) != pytest.approx(plain)


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize("verb", ["tree", "bayes"])
def test_reports_in_place_give_the_same_model_within_a_limit_of_memory(confide, verb):
    """But for rounding: so small a survey is written out when it is counted."""
    literal = (verb, *LEARN, "--method", "literal", "--json", "--test", "test.parquet")
    counted = json.loads(confide(*literal).out)
    ran = confide("--memory-limit", "100MB", *literal, "--in-place")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert found["accuracy"]["value"] == pytest.approx(counted["accuracy"]["value"])
    assert found["n"] == counted["n"] and found["classes"] == counted["classes"]


@pytest.mark.usefixtures("reports")
def test_what_reports_in_place_cannot_do_is_one_line(confide):
    for wrong, said in (
        (("--in-place",), 'method "auto" needs counted reports'),
        (("--in-place", "--method", "literal", "--weights", "w"), "takes no --weights"),
    ):
        ran = confide("tree", *LEARN, *wrong)
        assert ran.code == 2 and said in ran.err and ran.err.count("\n") == 1
    ran = confide("--memory-limit", "much", "estimate", "survey.toml", "reports.parquet")
    assert ran.code == 2 and "like 500MB or 2GiB" in ran.err
