"""What the page says is so, whatever the design: every sentence is read off the disguise."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.machine import program
from support.vectors import maker
from support.web_surveys import campus, noisy, small

import confide as cf
from confide.surveys.certainty import Certainty
from confide.surveys.explanations import explain_blocks, explain_first
from confide.surveys.page_settings import Page
from confide.surveys.page_texts import LANGUAGES, built_in
from confide.surveys.seal import write_document, write_words
from confide.surveys.survey import Survey
from confide.surveys.written_numbers import choose_keyboard, write_hint, write_number
from confide.web.respondent.survey_page import render_page
from confide.web.static_files import read_static_files

EN, DE = built_in("en"), built_in("de")


def yes_no(mechanism, names=("a",), **question):
    return cf.Design([cf.YesNo(n, **question) for n in names], [cf.Group(list(names), mechanism)])


def number(mechanism, step=1):
    return cf.Design([cf.Number("age", 16, 80, step=step)], [cf.Group(["age"], mechanism)])


def missing(mechanism):
    questions = [cf.Number("age", 16, 80, step=1, missing="no_age"), cf.YesNo("no_age")]
    groups = [cf.Group(["age"], mechanism), cf.Group(["no_age"], cf.RelatedQuestion("3/4"))]
    return cf.Design(questions, groups)


PAIR = ("a", "b")
JOINT = {("yes", "yes"): "1/2", ("no", "no"): "1/2"}
FORCED_YES = {"a": {"yes": 1}}
CYCLE = [["1/2", 0, "1/2"], ["1/2", "1/2", 0], [0, "1/2", "1/2"]]
CHOICE = cf.Design([cf.Choice("c", ["x", "y", "z"])], [cf.Group(["c"], cf.ChannelMatrix(CYCLE))])

DESIGNS = {
    "coin": (yes_no(cf.RelatedQuestion("3/4")), {Certainty.NEVER}),
    "forced both ways": (
        yes_no(cf.ForcedResponse("3/4", {"a": {"yes": "1/2", "no": "1/2"}})),
        {Certainty.NEVER},
    ),
    "forced yes": (yes_no(cf.ForcedResponse("1/2", FORCED_YES)), {Certainty.SOMETIMES}),
    "one way": (yes_no(cf.ChannelMatrix([[1, "1/2"], [0, "1/2"]])), {Certainty.SOMETIMES}),
    "always the truth": (yes_no(cf.RelatedQuestion(1)), {Certainty.ALWAYS}),
    "always the opposite": (yes_no(cf.RelatedQuestion(0)), {Certainty.ALWAYS}),
    "two together": (yes_no(cf.RelatedQuestion("3/4"), PAIR), {Certainty.WITH_MORE}),
    "sixty together": (
        yes_no(cf.RelatedQuestion("3/4"), tuple(f"q{i}" for i in range(60))),
        {Certainty.WITH_MORE},
    ),
    "a joint cover": (yes_no(cf.UnrelatedQuestion("1/2", JOINT), PAIR), {Certainty.SOMETIMES}),
    "rules one out": (CHOICE, {Certainty.WITH_MORE}),
    "bounded noise": (number(cf.UniformNoise(10)), {Certainty.SOMETIMES}),
    "endless noise": (number(cf.LaplaceNoise(10)), {Certainty.NEVER}),
    "missing behind bounds": (missing(cf.UniformNoise(10)), {Certainty.SOMETIMES}),
    "missing": (missing(cf.LaplaceNoise(10)), {Certainty.NEVER}),
    "Gaussian noise": (number(cf.GaussianNoise(10)), {Certainty.NEVER}),
    "a range of whole numbers": (number(cf.Intervals([15.5, 39.5, 80.5])), {Certainty.RANGE}),
    "a range": (number(cf.Intervals([16, 40, 80]), None), {Certainty.RANGE}),
    "clear": (cf.Design([cf.YesNo("a")]), {Certainty.ALWAYS}),
    "some clear": (small().design, {Certainty.NEVER, Certainty.ALWAYS}),
    "campus": (
        campus().design,
        {Certainty.NEVER, Certainty.WITH_MORE, Certainty.RANGE, Certainty.ALWAYS},
    ),
    "noisy": (noisy().design, {Certainty.NEVER, Certainty.SOMETIMES}),
}


def shown(design, language="en", **page):
    """What a person reads on the page: what stands in it, and what its script writes there."""
    survey = Survey(design, Page(language=language, **page))
    html = render_page(survey, language, is_open=True).split('<script type="application')[0]
    texts = survey.texts(language)
    told = json.loads(write_words(survey, language))
    said = [*told["lead"], *told["total"], told["review"]]
    for block in explain_blocks(survey.questionnaire, texts):
        said += block.sentences
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)) + " " + " ".join(said)


def brute(block):
    """Which answers a block's reports tell for certain, by looking at every combination."""
    from itertools import product

    channel, sizes = block.channel, [question.size for question in block.questions]
    reach = {}
    for report in product(*map(range, sizes)):
        for truth in product(*map(range, sizes)):
            if any(
                all(m[r][t] for m, r, t in zip(branch, report, truth, strict=True))
                for branch in channel.branches
            ):
                reach.setdefault(report, set()).add(truth)
    sets = [
        [len(set(answers)) for answers in zip(*truths, strict=True)] for truths in reach.values()
    ]
    everything = set(product(*map(range, sizes)))
    if all(size == 1 for each in sets for size in each):
        return Certainty.ALWAYS
    if any(size == 1 for each in sets for size in each):
        return Certainty.SOMETIMES
    return (
        Certainty.NEVER
        if all(truths == everything for truths in reach.values())
        else Certainty.WITH_MORE
    )


@pytest.mark.parametrize("name", DESIGNS)
def test_how_sure_someone_can_be_is_read_off_the_disguise(name):
    design, expected = DESIGNS[name]
    form = Survey(design).questionnaire
    assert set(form.certainty_by_question) == expected
    for block in form.blocks:
        if block.mechanism is not None and len(block.questions) < 5 and form.weights:
            first = form.fields[block.positions[0]]
            if first.disguised and first.finite and not design.declines:
                assert form.certainty_by_question[block.positions[0]] is brute(block)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", DESIGNS)
def test_the_first_sentence_never_promises_more_than_is_so(name, language):
    design, sure = DESIGNS[name]
    texts = built_in(language)
    told = " ".join(explain_first(Survey(design).questionnaire, texts))
    assert told in shown(design, language)
    hidden = sure - {Certainty.ALWAYS, Certainty.RANGE}
    # who could be sure is said, and in the same breath
    assert (texts["how_none"] in told) == (not hidden)
    assert (texts["how_clear"] in told) == (Certainty.ALWAYS in sure)
    assert (texts["how_range"] in told) == (Certainty.RANGE in sure)
    assert (texts["how_crowd"] in told) == bool(hidden)
    assert (texts["how_lead"] in told) == (sure == {Certainty.NEVER})
    never = {"en": "can be sure", "de": "sicher sein"}[language]
    alone = {"en": "from your report alone", "de": "allein aus Ihrer Meldung"}[language]
    assert (never in told) == (bool(hidden) and Certainty.SOMETIMES not in hidden)
    assert (alone in told) == (Certainty.WITH_MORE in hidden and Certainty.SOMETIMES not in hidden)
    certain = {"en": "for certain", "de": "mit Sicherheit"}[language]
    assert (certain in told) == (Certainty.SOMETIMES in hidden)


def test_the_old_promise_stands_where_it_holds_and_nowhere_else():
    promise = "So nobody, not even we, can be sure what you answered."
    assert promise in shown(DESIGNS["coin"][0])
    holds = {"coin", "forced both ways", "endless noise", "Gaussian noise", "missing"}
    for name in set(DESIGNS) - holds:
        assert promise not in shown(DESIGNS[name][0]), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_many_answers_are_not_said_to_be_hidden_from_who_knows_how_they_go_together(language):
    """Thirteen answers at 3/4 move odds by 3**13, more than a million: as good as certainty."""
    texts, coin = built_in(language), cf.RelatedQuestion("3/4")
    for many, promise in ((12, "how_lead"), (13, "how_lead_with_more"), (60, "how_lead_with_more")):
        names = [f"q{i}" for i in range(many)]
        design = cf.Design([cf.YesNo(n) for n in names], [cf.Group([n], coin) for n in names])
        assert texts[promise] in shown(design, language)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", DESIGNS)
def test_nobody_can_tell_is_said_only_where_nobody_can(name, language):
    design, sure = DESIGNS[name]
    texts, page = built_in(language), shown(design, language)
    if not sure & {Certainty.NEVER, Certainty.WITH_MORE}:
        assert texts["nobody_tells"] not in page
    if Certainty.SOMETIMES in sure:
        assert texts["check_answer"] not in page
    assert "in 1 of 1 cases" not in page and "In 1 of 1 cases" not in page
    # what is sent as it is has no disguise to speak of
    if not sure - {Certainty.ALWAYS, Certainty.RANGE}:
        tags = {texts["in_clear"], texts["in_range"]}
        assert any(tag in page for tag in tags)
        assert f" {texts['disguised']} " not in page
        assert texts["review_clear"] in page and texts["review_note"] not in page
        assert texts["practice_question"] not in page
    assert (texts["conclude_clear"] in page) == (Certainty.ALWAYS in sure)
    assert (texts["conclude_range"] in page) == (Certainty.RANGE in sure)


def test_what_a_report_tells_for_certain_is_said_of_that_report():
    forced = shown(DESIGNS["forced yes"][0])
    assert "“No” is sent only if your answer is “No”: someone who sees it knows that" in forced
    assert "Someone who sees “Yes” and knew nothing about you before" in forced
    assert "right in 2 of 3 cases" in forced
    assert "Someone who sees what is sent knows your answer" in shown(
        DESIGNS["always the opposite"][0]
    )
    assert EN["tells_together"] in shown(DESIGNS["a joint cover"][0])
    assert EN["rules_out_together"] in shown(DESIGNS["two together"][0])
    assert EN["rules_out"] in shown(DESIGNS["rules one out"][0])


def test_odds_too_large_to_write_down_are_called_as_good_as_certainty():
    names = [f"q{i}" for i in range(200)]
    groups = [cf.Group([name], cf.RelatedQuestion("999/1000")) for name in names]
    page = shown(cf.Design([cf.YesNo(name) for name in names], groups))
    assert "odds of more than 1,000,000 to 1: as good as certainty" in page


COVER = {"a": {"yes": "1/2", "no": "1/2"}}
FULL = {"a": {"yes": "1/3", "no": "1/3", "prefer not to say": "1/3"}}


@pytest.mark.parametrize(
    ("mechanism", "key"),
    [
        (cf.UnrelatedQuestion("1/2", FULL), "optional"),
        (cf.RelatedQuestion("3/4"), "optional"),
        (cf.RelatedQuestion(1), "optional_clear"),
        (None, "optional_clear"),
    ],
)
def test_what_becomes_of_a_question_left_out_is_so(mechanism, key):
    groups = [cf.Group(["a"], mechanism)] if mechanism else []
    page = shown(cf.Design([cf.YesNo("a", missing="option")], groups))
    said = {each for each in ("optional", "optional_clear", "optional_certain") if EN[each] in page}
    assert said == {key}


def test_a_cover_without_prefer_not_to_say_is_refused_or_said():
    question = cf.YesNo("a", missing="option")
    try:
        design = cf.Design([question], [cf.Group(["a"], cf.UnrelatedQuestion("1/2", COVER))])
    except cf.DesignError:
        return
    assert EN["optional"] not in shown(design)
    assert EN["optional_certain"] in shown(design)


def test_own_coin_says_what_it_cannot_cover():
    page = shown(noisy().design)
    assert EN["own"] in page
    listed = page.split(EN["own_not"])[1].split("Disguised")[0]
    for text in ("How old are you?", "What do you weigh?", "How many drinks a week?"):
        assert text in listed
    assert "Ever cheated?" not in listed
    assert page.count(EN["own_browser"]) == 3
    assert EN["not_promised_coin"] in page
    whole = shown(campus().design)
    assert EN["own"] in whole and EN["own_not"] not in whole and EN["own_browser"] not in whole


def test_odds_too_fine_for_a_hand_are_the_browsers_too():
    fine = cf.Design(
        [cf.YesNo("a", "Fine?"), cf.YesNo("b", "Coarse?")],
        [
            cf.Group(["a"], cf.RelatedQuestion("751/1000")),
            cf.Group(["b"], cf.RelatedQuestion("3/4")),
        ],
    )
    page = shown(fine)
    assert "Fine?" in page.split(EN["own_not"])[1].split("Disguised")[0]


@pytest.mark.parametrize("page", [{"own_device": False}, {}])
def test_no_coin_is_spoken_of_where_there_is_none(page):
    design = number(cf.UniformNoise(10)) if not page else small().design
    said = shown(design, **page)
    assert "coin" not in said.lower()


MARKS = {"en": EN, "de": DE}


@pytest.mark.parametrize(
    ("asked", "english", "german", "keys"),
    [
        (
            cf.Number("n", 0, 10_000, step=100),
            "From 0 to 10,000 in steps of 100: 0; 100; 200 …",
            "Von 0 bis 10.000 in Schritten von 100: 0; 100; 200 …",
            "numeric",
        ),
        (
            cf.Number("n", 30, 150, step=0.5),
            "From 30 to 150 in steps of 0.5: 30; 30.5; 31 …",
            "Von 30 bis 150 in Schritten von 0,5: 30; 30,5; 31 …",
            "decimal",
        ),
        (
            cf.Number("n", 16, 79, step=7),
            "From 16 to 79 in steps of 7: 16; 23; 30 …",
            "Von 16 bis 79 in Schritten von 7: 16; 23; 30 …",
            "numeric",
        ),
        (
            cf.Number("n", 1950, 2024, step=1),
            "A whole number from 1950 to 2024",
            "Eine ganze Zahl von 1950 bis 2024",
            "numeric",
        ),
        (
            cf.Number("n", 0, 1, step=0.5),
            "From 0 to 1 in steps of 0.5: 0; 0.5; 1",
            "Von 0 bis 1 in Schritten von 0,5: 0; 0,5; 1",
            "decimal",
        ),
        (
            cf.Number("n", -1, 1, step=0.1),
            "From -1 to 1 in steps of 0.1: -1; -0.9; -0.8 …",
            "Von -1 bis 1 in Schritten von 0,1: -1; -0,9; -0,8 …",
            "text",
        ),
        (
            cf.Number("n", 0, 2_000_000_000, step=1_000_000),
            "From 0 to 2,000,000,000 in steps of 1,000,000: 0; 1,000,000; 2,000,000 …",
            "Von 0 bis 2.000.000.000 in Schritten von 1.000.000: 0; 1.000.000; 2.000.000 …",
            "numeric",
        ),
        (
            cf.Number("n", 0.5, 2.5, step=1),
            "From 0.5 to 2.5 in steps of 1: 0.5; 1.5; 2.5",
            "Von 0,5 bis 2,5 in Schritten von 1: 0,5; 1,5; 2,5",
            "decimal",
        ),
        (cf.Number("n", 0, 2.5), "From 0 to 2.5", "Von 0 bis 2,5", "decimal"),
    ],
)
def test_a_number_says_its_range_and_its_steps(asked, english, german, keys):
    assert (write_hint(asked, EN), write_hint(asked, DE)) == (english, german)
    assert choose_keyboard(asked) == keys
    page = render_page(Survey(cf.Design([asked])), "de", is_open=True)
    assert german in page and f'inputmode="{keys}"' in page


def test_numbers_are_written_whole():
    assert write_number(2**53, EN) == "9,007,199,254,740,992"
    assert write_number(0.1 + 0.2, DE) == "0,3"
    assert write_number(1e-7, EN) == "0.0000001"
    assert write_number(-12345.5, DE) == "-12.345,5"


def read_document(survey, language="en"):
    """What the page's script works with: the sealed document, and its words in a language."""
    document, words = json.loads(write_document(survey)), json.loads(write_words(survey, language))
    pairs = zip(document["fields"], words["fields"], strict=True)
    return {**words, **document, "fields": [field | said for field, said in pairs]}


def said_by_script(documents, folder):
    """What the page's own script says of surveys: a list of blocks each."""
    for name, (content, _) in read_static_files().items():
        (folder / name).write_bytes(content)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "surveys.json").write_text(f"[{','.join(documents)}]", encoding="utf-8")
    check = shutil.copy(Path(__file__).with_name("check_explaining.mjs"), folder)
    command = [program("node", "nodejs"), check, folder, folder / "surveys.json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_the_script_reads_the_same_sentences_off_the_weights(tmp_path):
    """Every sentence and picture in two languages: the browser's arithmetic against Python's."""
    designs = [*(design for design, _ in DESIGNS.values()), *maker().designs()]
    asked = [(Survey(design), language) for design in designs for language in ("en", "de")]
    documents = [json.dumps(read_document(survey, language)) for survey, language in asked]
    said = said_by_script(documents, tmp_path)
    for (survey, language), blocks in zip(asked, said, strict=True):
        expected = explain_blocks(survey.questionnaire, survey.texts(language))
        for each, (explained, honest) in zip(expected, blocks, strict=True):
            assert explained["sentences"] == each.sentences
            assert explained["pictures"] == [list(pair) for pair in each.pictures]
            assert honest


def test_weights_that_tell_more_than_the_words_promise_are_noticed(tmp_path):
    document = read_document(small())
    document["blocks"][0]["weights"]["questions"] = [[[[4, 0], [0, 4]]]]
    noise = read_document(noisy())
    for block in noise["blocks"]:
        if "noise" in block["weights"]:
            block["weights"]["noise"] = [2**32, *[0] * (len(block["weights"]["noise"]) - 1)]
    first, second = said_by_script([json.dumps(document), json.dumps(noise)], tmp_path)
    assert (first[0][1], first[1][1]) == (False, True)
    assert first[0][0]["sentences"][0] == EN["clear"]
    promised = [block["certainty"] for block in noise["blocks"]]
    noisy_blocks = ["noise" in block["weights"] for block in noise["blocks"]]
    assert [honest for _, honest in second] == [
        not (noisy and sure == "NEVER") for noisy, sure in zip(noisy_blocks, promised, strict=True)
    ]


def test_a_range_is_told_by_the_numbers_that_can_be_answered():
    whole = shown(number(cf.Intervals([15.5, 39.5, 40.5, 80.5])))
    assert "16 – 39; 40; 41 – 80" in whole
    assert "15.5" not in whole
    assert "16 – 40; 40 – 80" in shown(number(cf.Intervals([16, 40, 80]), None))
