"""Write the known answers that Python, Node and the browser must all give.

    python vectors/make.py

`draws.json`: a bound and random words → the integer drawn, or null where there must be none.
`reports.json`: a design, the blocks the person drew for, answers and random words → the reported
codes, or null where there must be none. Every vector brings exactly the words it needs; one word
fewer is a vector that must fail.
`bodies.json`: a design, a receipt, a ticket, those blocks and codes → the exact bytes sent.
"""

from __future__ import annotations

import json
import random
from itertools import accumulate
from pathlib import Path
from typing import Any

import confide as cf
from confide.design.plain_values import to_dict
from confide.reports.wire import TICKET, Report, receipt_id, write_report
from confide.surveys.questionnaire import Questionnaire
from confide.surveys.sampler import SamplerError, below, bounds

HERE = Path(__file__).parent
TOP = 2**32
BOUNDS = [1, 2, 3, 4, 5, 6, 7, 10, 12, 100, 365, 1000, 65535, 65536, 65537, 10**6, 10**9]
BOUNDS += [2**31 - 1, 2**31, 2**31 + 1, 3 * 2**30, TOP - 5, TOP - 1, TOP]


def draws() -> list[list[Any]]:
    """Bounds with the words around every edge, alone and after refused words."""
    vectors = []
    for bound in BOUNDS:
        limit = TOP - TOP % bound
        edges = {0, 1, bound - 1, bound, bound + 1, limit - 1, limit, limit + 1, TOP - 2, TOP - 1}
        for word in sorted(w for w in edges if 0 <= w < TOP):
            vectors += [[bound, [word]], [bound, [TOP - 1, word]], [bound, [word, 0]]]
        vectors += [[bound, []], [bound, [TOP]], [bound, [-1]], [bound, [0.5]]]
    return [[bound, words, _drawn(bound, words)] for bound, words in vectors]


def _drawn(bound: int, words: list[Any]) -> int | None:
    try:
        return below(bound, iter(words))
    except SamplerError:
        return None


def designs() -> list[cf.Design]:
    """Every mechanism a browser can draw, alone and in groups, beside questions in the clear."""
    yes_no = {"yes": "1/12", "no": "11/12"}
    two = [cf.YesNo("a"), cf.YesNo("b")]
    three = cf.Choice("c", ["x", "y", "z"])
    long = cf.Choice("l", [f"option {i}" for i in range(12)], missing="option")
    joint = {("yes", "no"): "1/4", ("no", "yes"): "1/2", ("no", "no"): "1/4"}
    matrix = cf.ChannelMatrix([[0.9, 0.2], [0.1, 0.8]])
    return [
        cf.Design([two[0]], [cf.Group(["a"], cf.RelatedQuestion("3/4"))]),
        cf.Design([two[0]], [cf.Group(["a"], cf.RelatedQuestion("1/3"))]),
        cf.Design([two[0]], [cf.Group(["a"], cf.RelatedQuestion(f"{TOP - 6}/{TOP - 5}"))]),
        cf.Design([two[0]], [cf.Group(["a"], cf.RelatedQuestion(f"{TOP - 1}/{TOP}"))]),
        cf.Design([two[0]], [cf.Group(["a"], cf.UnrelatedQuestion("1/2", {"a": yes_no}))]),
        cf.Design([two[0]], [cf.Group(["a"], matrix)]),
        cf.Design([long], [cf.Group(["l"], cf.RandomizedChoice("7/10"))]),
        cf.Design(two, [cf.Group(["b", "a"], cf.RelatedQuestion("5/7"))]),
        cf.Design([*two, three], [cf.Group(["c", "a", "b"], cf.RelatedQuestion("2/3"))]),
        cf.Design(two, [cf.Group(["a", "b"], cf.UnrelatedQuestion("3/5", joint))]),
        cf.Design(
            [*two, three],
            [
                cf.Group(["b"], cf.ForcedResponse("2/3", {"b": {"yes": "1/2", "no": "1/2"}})),
                cf.Group(["a"], cf.RelatedQuestion("9/10")),
            ],
        ),
        cf.Design(
            [cf.Number("age", 16, 80, step=1), two[0]],
            [
                cf.Group(["age"], cf.UniformNoise(10)),
                cf.Group(["a"], cf.RelatedQuestion("3/4")),
            ],
        ),
        cf.Design(
            [cf.Number("weight", 30.5, 200, step=0.5), cf.Number("drinks", 0, 4, step=1)],
            [
                cf.Group(["weight"], cf.GaussianNoise(6)),
                cf.Group(["drinks"], cf.LaplaceNoise(2)),
            ],
        ),
        cf.Design(
            [
                cf.YesNo("a", missing="option"),
                cf.Number("age", 16, 80, step=1),
                cf.Number("income", 0, 100_000),
                cf.Number("weight", 30.5, 200, step=0.5),
                three,
            ],
            [
                cf.Group(["income"], cf.Intervals([0, 1000, 2500, 5000, 20_000, 100_000])),
                cf.Group(["c", "a"], cf.RelatedQuestion("4/5")),
            ],
        ),
    ]


def reports(surveys: list[cf.Design], each: int, random: random.Random) -> list[list[Any]]:
    """Random answers, modes and words for every design; edge words and failures among them."""
    vectors = []
    forms = [Questionnaire(design) for design in surveys]
    for number, form in enumerate(forms):
        for _ in range(each):
            own = _own(form, random)
            answers = [_answer(field, random) for field in form.fields]
            words = _words(form, random)
            vectors.append([number, own, answers, words])
            if random.random() < 0.1:
                vectors.append([number, own, answers, words[:-1]])
            if random.random() < 0.1:
                wrong = [random.choice([-1, 10**9, -0.5]) for _ in form.fields]
                vectors.append([number, own, wrong, words])
    return [[*vector, _codes(forms[vector[0]], *vector[1:])] for vector in vectors]


def _codes(form: Questionnaire, own: list[int], answers: list[Any], words: list[int]) -> Any:
    try:
        return form.disguise_answers(answers, iter(words), own)
    except cf.ConfideError:
        return None


def bodies(surveys: list[cf.Design], each: int, random: random.Random) -> list[list[Any]]:
    """Random receipts, tickets and codes, and the bytes they are sent as."""
    vectors = []
    for number, design in enumerate(surveys):
        form = Questionnaire(design)
        for _ in range(each):
            receipt, ticket = random.randbytes(16).hex(), random.randbytes(TICKET).hex()
            own, ticket = _own(form, random), random.choice(["", ticket])
            codes = tuple(random.randrange(field.size) for field in form.fields)
            report = Report(receipt_id(receipt), ticket, form.modes(own), codes)
            body = write_report(form, report).decode()
            vectors.append([number, receipt, ticket, own, codes, body])
    return vectors


def _own(form: Questionnaire, random: random.Random) -> list[int]:
    """Some of the blocks that a person can draw for."""
    return [b for b in sorted(form.by_hand) if random.random() < 0.15]


def _answer(field: Any, random: random.Random) -> Any:
    """A true answer as the page holds it: an option's number, or a number."""
    if hasattr(field.question, "options"):
        return random.randrange(field.size)
    low, high = field.number.low, field.number.high
    edges = [low, high, *(field.edges or [])]
    if random.random() < 0.2:
        return random.choice(edges)
    steps = random.randrange(round((high - low) / field.step) + 1)
    return min(high, round(low + steps * field.step, 6))


def _words(form: Questionnaire, random: random.Random) -> list[int]:
    """Exactly the words a draw needs, now and then with refused or extreme ones between."""
    words = []
    for weights in form.weights:
        for bound in bounds(weights):
            limit = TOP - TOP % bound
            while random.random() < 0.1 and limit < TOP:
                words.append(random.randrange(limit, TOP))
            edge = random.random() < 0.2
            edges = _noise_edges(weights) if "noise" in weights else [0, limit - 1]
            words.append(random.choice(edges) if edge else random.randrange(limit))
    return words


def _noise_edges(weights: Any) -> list[int]:
    """The first and the last word of every amount of noise."""
    noise = weights["noise"]
    starts = [0, *accumulate([*noise[:0:-1], *noise])]
    return [word for start in starts for word in (start - 1, start) if 0 <= word < TOP]


def main() -> None:
    """Write the files; the seed makes them the same every time."""
    surveys = designs()
    _save("draws.json", [], draws())
    described = [{"survey": to_dict(d), "script": Questionnaire(d).script()} for d in surveys]
    _save("reports.json", described, reports(surveys, 780, random.Random(1)))
    _save("bodies.json", described, bodies(surveys, 25, random.Random(2)))


def _save(name: str, designs: list[Any], vectors: list[Any]) -> None:
    """One line a design and a vector, so that a change shows where it is."""
    parts = {"designs": designs, "vectors": vectors}
    lines = {
        key: ",\n".join(json.dumps(each, separators=(",", ":")) for each in part)
        for key, part in parts.items()
    }
    text = ",\n".join(f'"{key}":[\n{part}]' for key, part in lines.items())
    text = "{" + text + "}\n"
    (HERE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
