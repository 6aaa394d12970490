"""Models of surveys, for the tests of what is published."""

import secrets
from functools import partial

import numpy as np
import pyarrow as pa

import confide as cf
from confide.mining.learners import LEARNERS, find_learner
from confide.reports.submissions import Submission
from confide.surveys.page_settings import Page
from confide.surveys.sampler import secure_words
from confide.surveys.survey import Survey

DESIGN = cf.Design(
    [
        cf.Choice("mood", ["low", "fair", "high"], "How are you?"),
        cf.YesNo("drugs", "Ever used drugs?", missing="option"),
        cf.Choice("faculty", [f"faculty {i}" for i in range(9)], "Your faculty"),
        cf.Number("age", 16, 80, "How old are you?", unit="years", step=1),
        cf.Number("income", 0, 10_000, "Your income a month"),
    ],
    [cf.Group(["mood", "drugs"], cf.RelatedQuestion("9/10"))],
    title="Moods",
)


def people(rows, seed):
    """Answers in which the mood depends on all else, some of them at the edges of intervals."""
    chance = np.random.default_rng(seed)
    drugs, faculty = chance.integers(0, 3, rows), chance.integers(0, 9, rows)
    age, income = chance.integers(16, 81, rows), chance.uniform(0, 10_000, rows)
    income[::4] = chance.integers(0, 101, len(income[::4])) * 100
    mood = (drugs + (faculty % 2) * 2 + (age > 40) + (income > 3000)) % 3
    mood = np.where(chance.random(rows) < 0.2, chance.integers(0, 3, rows), mood)
    codes = {"mood": mood, "drugs": drugs, "faculty": faculty}
    words = {name: np.array(DESIGN.question(name).labels)[c] for name, c in codes.items()}
    return pa.table({**words, "age": age, "income": income})


def learned(kind, **options):
    """A model of the mood."""
    reports = DESIGN.disguise(people(3000, 1), seed=2)
    return find_learner(kind)(DESIGN, target="mood", **options).fit(reports)


MODELS = {
    "a tree with a branch a value": lambda: learned("tree", method="literal", max_depth=4),
    "a tree of two-way splits": lambda: learned(
        "tree", criterion="gini", method="literal", max_depth=7
    ),
    "naive Bayes": lambda: learned("bayes", method="literal"),
    "naive Bayes with hidden classes": lambda: learned("bayes"),
    "naive Bayes without smoothing": lambda: learned("bayes", method="literal", smoothing=0),
    **{f"{kind.kind} as it is": partial(learned, kind.command) for kind in LEARNERS},
}


PERSONAL = {"cheated": "Born in spring?", "drugs": "Born before noon?", "failed": "Is it raining?"}


def exams(**page):
    """Three questions of one unrelated-question group, and their personal questions."""
    spread = {name: {"yes": "1/4", "no": "3/4"} for name in PERSONAL}
    group = cf.Group(list(PERSONAL), cf.UnrelatedQuestion("2/3", spread))
    questions = [cf.YesNo(name, f"Ever {name}?") for name in PERSONAL]
    return Survey(cf.Design(questions, [group], title="Exams"), Page(personal=PERSONAL, **page))


def exam_answers(rows, seed):
    """The private answers: who cheats mostly takes drugs."""
    chance = np.random.default_rng(seed)
    cheated = (chance.random(rows) < 0.3).astype(int)
    drugs = np.where(chance.random(rows) < 0.85, cheated, 1 - cheated)
    return np.stack([cheated, drugs, chance.integers(0, 2, rows)], axis=1)


def exam_model(survey):
    reports = survey.design.disguise(exam_answers(4000, 1), seed=2)
    return cf.DisguisedTreeClassifier(survey.design, target="cheated", max_depth=2).fit(reports)


def bits(trial, rights):
    """What browsers send that found the model right or not."""
    form, words = trial.survey_of_bits.questionnaire, secure_words()
    return [
        Submission(
            secrets.token_bytes(16), form.pack(form.disguise_answers([right], words), form.modes())
        )
        for right in rights
    ]


def cases(model, table):
    """A person's answers as the page holds them: an option's number, or a number."""
    questions = [DESIGN.question(name) for name in model.used_]
    columns = [table.column(question.name).to_pylist() for question in questions]
    return [
        [q.code(a) if q.grid is None else a for q, a in zip(questions, row, strict=True)]
        for row in zip(*columns, strict=True)
    ]


def differences(said, model, table):
    """How many of a script's predictions are not Python's."""
    chances = model.predict_proba(table)
    top = np.sort(chances, axis=1)
    clear = top[:, -1] - top[:, -2] > 1e-6  # a tie is decided by the seventh digit
    labels = model.classes_[[each["label"] for each in said]]
    wrong = (labels != model.predict(table)) & clear
    wrong |= ~np.isclose([each["chances"] for each in said], chances, 0, 1e-6).all(axis=1)
    return int(wrong.sum())
