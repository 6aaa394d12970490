"""No answer ever appears in an error, however it came in."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback

import httpx
import numpy as np
import pyarrow as pa
import pytest

import confide as cf
from confide.cli import main
from confide.reports.store import open_store
from confide.reports.wire import read_report
from confide.surveys.questionnaire import Questionnaire
from confide.surveys.survey import Survey
from confide.web.app import create_app

MARK = "Zweigelt77"
NUMBER = 7654321.25
DESIGN = cf.Design(
    [cf.YesNo("a"), cf.Choice("b", ["x", "y"]), cf.Number("n", 0, 100, step=1)],
    [
        cf.Group(["a"], cf.RelatedQuestion("3/4")),
        cf.Group(["b"], cf.RandomizedChoice(0.7)),
        cf.Group(["n"], cf.LaplaceNoise(2)),
    ],
)
GOOD = {"a": "yes", "b": "x", "n": 3}
BAD = [
    (name, value)
    for name in GOOD
    for value in (MARK, NUMBER, f"=cmd|{MARK}", [MARK], {MARK: MARK}, MARK.encode(), None)
]


def frames():
    made = {
        "dict": lambda rows: {k: [row[k] for row in rows] for k in GOOD},
        "arrow": pa.Table.from_pylist,
    }
    for name, frame in (("pandas", "DataFrame"), ("polars", "DataFrame")):
        library = pytest.importorskip(name)
        made[name] = getattr(library, frame)
    made["array"] = lambda rows: np.array([[row[k] for k in GOOD] for row in rows], dtype=object)
    return made


def model():
    answers = [GOOD | {"a": "no", "b": "y"}, GOOD] * 100
    reports = DESIGN.disguise(pa.Table.from_pylist(answers), seed=1)
    return cf.DisguisedNaiveBayes(DESIGN, "a").fit(reports)


def hidden(error, caplog):
    """Nothing that Python prints of an error, with all behind it, holds the answer."""
    said = "".join(traceback.format_exception(error, chain=True)) + caplog.text
    lines = [line for line in said.splitlines() if not line.startswith(" ")]
    return not any(mark in line for mark in (MARK, "7654321") for line in lines)


@pytest.mark.parametrize("kind", ["dict", "arrow", "pandas", "polars", "array"])
@pytest.mark.parametrize(("name", "value"), BAD, ids=str)
def test_answers_that_do_not_fit_are_refused_without_being_shown(kind, name, value, caplog):
    caplog.set_level(logging.DEBUG)
    try:
        frame = frames()[kind]([GOOD, GOOD | {name: value}])
    except Exception:
        pytest.skip("this frame cannot hold such a column")
    with pytest.raises(cf.ConfideError) as refused:
        DESIGN.disguise(frame, seed=1)
    assert hidden(refused.value, caplog)


@pytest.mark.parametrize(("name", "value"), BAD, ids=str)
def test_the_form_refuses_an_answer_without_showing_it(name, value, caplog):
    with pytest.raises(cf.AnswersError) as refused:
        Questionnaire(DESIGN).disguise(GOOD | {name: value}, iter(range(99)))
    assert name in str(refused.value)
    assert hidden(refused.value, caplog)


def test_the_form_refuses_a_person_without_an_answer():
    with pytest.raises(cf.AnswersError, match="b must be answered by"):
        Questionnaire(DESIGN).disguise({"a": "yes", "n": 3}, iter(range(99)))


@pytest.mark.parametrize(
    "body", [MARK, f'{{"{MARK}": 1}}', f'{{"design": "{MARK}"}}', f'["{MARK}"]', "{" + MARK]
)
def test_a_body_that_is_no_report_is_refused_without_being_shown(body, caplog):
    with pytest.raises(cf.ReportsError) as refused:
        read_report(Questionnaire(DESIGN), body.encode())
    assert hidden(refused.value, caplog)


@pytest.mark.parametrize(("name", "value"), [pair for pair in BAD if pair[0] != "a"], ids=str)
def test_a_model_refuses_an_answer_without_showing_it(name, value, caplog):
    frame = frames()["pandas"]([{k: v for k, v in (GOOD | {name: value}).items() if k != "a"}])
    with pytest.raises(cf.ConfideError) as refused:
        model().predict(frame)
    assert hidden(refused.value, caplog)


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, v in BAD if isinstance(v, str)], ids=str)
def test_the_command_line_refuses_a_file_of_answers_without_showing_them(
    name, value, caplog, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    DESIGN.save("d.json")
    rows = [GOOD, GOOD | {name: value}]
    lines = [",".join(GOOD), *(",".join(map(str, row.values())) for row in rows)]
    (tmp_path / "answers.csv").write_text("\n".join(lines))
    monkeypatch.setattr("sys.argv", ["confide", "disguise", "d.json", "answers.csv", "-o", "r.csv"])
    with pytest.raises(SystemExit):
        main()
    printed = "".join(capsys.readouterr())
    assert MARK not in printed + caplog.text


@pytest.mark.parametrize("learner", [cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes])
@pytest.mark.parametrize("value", [MARK, NUMBER, f"=cmd|{MARK}", MARK.encode()], ids=str)
@pytest.mark.parametrize("name", GOOD)
def test_learning_from_a_value_that_does_not_fit_does_not_show_it(learner, name, value, caplog):
    """Of the features or of the labels, which are given apart."""
    caplog.set_level(logging.DEBUG)
    rows = [GOOD | {"a": "no", "b": "y"}, GOOD] * 20 + [GOOD | {name: value}]
    X = frames()["pandas"]([{k: v for k, v in row.items() if k != "a"} for row in rows])
    y = np.array([row["a"] for row in rows], dtype=object)
    with pytest.raises(cf.ConfideError) as refused:
        learner(DESIGN, "a", method="literal").fit(X, y)
    assert hidden(refused.value, caplog)


@pytest.mark.parametrize(("name", "value"), BAD, ids=str)
def test_a_regression_refuses_a_value_without_showing_it(name, value, caplog):
    reports = pytest.importorskip("pandas").DataFrame([GOOD, GOOD | {"a": "no", "b": "y"}] * 20)
    reports[name] = reports[name].astype(object)
    reports.at[5, name] = value
    with caplog.at_level(logging.DEBUG), pytest.raises(cf.ConfideError) as refusal:
        cf.DisguisedRegression(DESIGN, "a ~ b + n").fit(reports)
    assert hidden(refusal.value, caplog)


@pytest.mark.parametrize("learner", [cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes])
@pytest.mark.parametrize("value", [MARK, f"=cmd|{MARK}"], ids=str)
def test_an_ordinary_classifier_refuses_a_value_without_showing_it(learner, value, caplog):
    """Without a design: text among numbers, and a category that was not there to learn from."""
    X = np.array([[0.0, 1.0], [1.0, 0.0]] * 10)
    y = np.array([0, 1] * 10)
    model = learner().fit(X, y)
    words = frames()["pandas"]([{"town": "Bern"}, {"town": "Rome"}] * 10)
    of_words = learner().fit(words, y)
    attempts = [
        lambda: learner().fit(np.array([[value, 1.0]] + [[0.0, 1.0]] * 3, dtype=object), y[:4]),
        lambda: model.predict(np.array([[value, 1.0]], dtype=object)),
        lambda: of_words.predict(frames()["pandas"]([{"town": value}])),
    ]
    for attempt in attempts:
        try:
            attempt()
        except Exception as error:
            assert hidden(error, caplog)


@pytest.mark.parametrize(
    "values",
    [
        [[MARK]],
        MARK,
        {"a": MARK},
        {"codes": [MARK, "1", "07"]},
        {"design": MARK, "id": MARK, "codes": [MARK, MARK, MARK]},
    ],
    ids=str,
)
def test_the_server_says_and_logs_nothing_of_a_bad_report_or_upload(values, caplog, tmp_path):
    """An upload of a report that was saved offline comes to the same address as any other."""
    caplog.set_level(logging.DEBUG)
    small = cf.Design(DESIGN.questions[:2], DESIGN.groups[:2])
    survey = Survey(small)
    store = open_store(f"sqlite:///{tmp_path}/survey.db", small, by_invitation=False)
    app = create_app(survey, store)

    async def send(path, sent):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://survey") as client:
            return await client.post(path, content=json.dumps(sent))

    for path in ("/report", "/receipt", "/receipt/delete", "/invitation", "/ticket"):
        for sent in (values, {"design": small.fingerprint, "codes": values, "id": values}):
            answer = asyncio.run(send(path, sent))
            assert 400 <= answer.status_code < 500
            assert MARK not in answer.text
    store.close()
    assert MARK not in caplog.text
