"""Designs with every kind of question and mechanism, and hostile texts: what files must hold."""

from __future__ import annotations

from hypothesis import strategies as st

import confide as cf
from confide.design.plain_values import to_dict
from support.designs import mechanisms

TEXTS = st.text(max_size=12) | st.sampled_from(
    ['"', "'''", '"""', "a\nb", "\r\n", "\t", "\x00\x1b[31m", "\x7f", "\\u0041", "é", "🙂", "{a}"]
)
"""Anything a question's text may be, such as quotes, newlines and control characters."""

LINES = (
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=8)
    | st.sampled_from(['"quoted"', "it's", "a\\nb", "a b", "#", "[[question]]", "=1+1", "é", "🙂"])
).filter(lambda line: line.strip() and line != "prefer not to say")
"""Anything a name or an option may be."""

WORDS = st.from_regex(r"[a-z_][a-z0-9_]{0,6}", fullmatch=True)
"""Names that every file format can hold."""


EVERY_KEY = cf.Design(
    [
        cf.YesNo("cheated", "Ever?", missing="option"),
        cf.YesNo("drugs"),
        cf.Choice("faculty", ["arts", "law"], "Where?", ordered=True, missing="option"),
        cf.Choice("siblings", [0, 1, 2]),
        cf.Choice("party", ["left", "right"]),
        cf.YesNo("stole"),
        cf.Number("age", 16, 80, "How old?", unit="years", step=1),
        cf.Number("income", 0, 9),
        cf.Number("debt", 0, 9),
        cf.Number("weight", 0, 99),
    ],
    [
        cf.Group(["cheated"], cf.RelatedQuestion("3/4")),
        cf.Group(["drugs"], cf.ForcedResponse("2/3", {"drugs": {"yes": "1/2", "no": "1/2"}})),
        cf.Group(["faculty"], cf.UnrelatedQuestion("1/2", {("arts",): "1/3", ("law",): "2/3"})),
        cf.Group(["siblings"], cf.RandomizedChoice("7/10")),
        cf.Group(["party"], cf.UnrelatedQuestion("1/2", {"party": {"left": 1}})),
        cf.Group(["stole"], cf.ChannelMatrix([["9/10", "1/5"], ["1/10", "4/5"]])),
        cf.Group(["age"], cf.Intervals([10, 30, 90])),
        cf.Group(["income"], cf.UniformNoise(5)),
        cf.Group(["debt"], cf.GaussianNoise(2.5)),
        cf.Group(["weight"], cf.LaplaceNoise(20)),
    ],
    "Campus life",
)
"""A design that uses every kind, every mechanism and every key."""


@st.composite
def finite_questions(draw, name, texts, options):
    """A yes-no or choice question that uses every key."""
    common = {"text": draw(texts), "missing": draw(st.sampled_from(["error", "option"]))}
    if draw(st.booleans()):
        return cf.YesNo(name, **common)
    choices = draw(
        st.lists(options, min_size=2, max_size=4, unique=True)
        | st.lists(st.integers(-(2**53), 2**53), min_size=2, max_size=4, unique=True)
    )
    return cf.Choice(name, choices, ordered=draw(st.booleans()), **common)


@st.composite
def number_questions(draw, name, texts):
    """A number question with or without unit and step."""
    step = draw(st.sampled_from([None, 1, 0.5, 0.125, 1e6]))
    low = draw(st.integers(-200, 200)) / 8
    high = low + draw(st.integers(1, 9)) * (step or 1)
    return cf.Number(name, low, high, draw(texts), unit=draw(texts), step=step)


@st.composite
def number_mechanisms(draw, question):
    """Any mechanism for a number."""
    low, high = question.grid.edges[0], question.grid.edges[-1]
    noise = draw(st.floats(0.01, 3)) * (high - low)
    kind = draw(st.sampled_from([cf.UniformNoise, cf.GaussianNoise, cf.LaplaceNoise, None]))
    return kind(noise) if kind else cf.Intervals([low, (low + high) / 2, high + 1])


@st.composite
def written_designs(draw, names=LINES, texts=TEXTS, options=LINES):
    """A design as rich as a file can say."""
    asked = []
    for name in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        number = draw(st.integers(0, 3)) == 0
        kind = number_questions(name, texts) if number else finite_questions(name, texts, options)
        asked.append(draw(kind))
    groups = []
    for place in range(2):
        grouped = {name for group in groups for name in group.questions}
        left = [q for q in asked if q.name not in grouped and draw(st.booleans())]
        finite = [q for q in left if not isinstance(q, cf.Number)]
        if finite:
            mechanism = draw(mechanisms(finite).filter(lambda m, asked=finite: fits(m, asked)))
            groups.append(cf.Group([q.name for q in finite], mechanism))
        elif left and place:
            groups.append(cf.Group([left[0].name], draw(fitting(left[0]))))
    return cf.Design(asked, groups, draw(texts))


def fitting(question):
    """A mechanism that can disguise this number."""
    return number_mechanisms(question).filter(lambda m: fits(m, [question]))


def fits(mechanism, asked):
    """Whether a mechanism can disguise these questions."""
    try:
        mechanism.check(asked)
    except cf.DesignError:
        return False
    return True


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.just("1/2"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
"""Anything at all."""


@st.composite
def damaged_surveys(draw):
    """A sound survey in which one or two values at any depth are replaced by anything."""
    survey = to_dict(draw(written_designs()))
    for _ in range(draw(st.integers(1, 2))):
        place = survey
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and draw(st.integers(0, 3)):
                place = place[key]
                continue
            place[key] = draw(JSON)
            break
    return survey
