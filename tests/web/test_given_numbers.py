"""A number that one may prefer not to say: served, stored, and shown of those who gave it."""

import numpy as np
import pytest
from support.web_reports import send
from support.web_surveys import earnings, small

import confide as cf
from confide.counts.stores import count_store
from confide.errors import AnswersError, DesignError
from confide.reports.store import open_store
from confide.reports.wire import fits_modes
from confide.surveys.page_settings import Page
from confide.surveys.results_texts import results_texts_in
from confide.surveys.seal import describe_survey, write_document, write_words
from confide.surveys.survey import Survey
from confide.web.admin.result_views import ResultViews
from confide.web.admin.result_words import ResultWords
from confide.web.admin.results import estimate_question
from confide.web.admin.shown_people import ShownPeople


def collect(tmp_path, survey, missing, incomes):
    """The people behind so many reports, each with a number or none."""
    store = open_store(f"sqlite:///{tmp_path}/survey.db", survey.design, by_invitation=False)
    pairs = enumerate(zip(missing, incomes, strict=True))
    send(survey, store, [(1, int(m), 5000 if m else i, k % 2) for k, (m, i) in pairs])
    return ShownPeople(survey, count_store(survey.questionnaire, store).counts)


def draw(n, share):
    generator = np.random.default_rng(2)
    incomes = np.rint(generator.normal(2500, 700, n).clip(0, 10_000) / 100) * 100
    return generator.random(n) < share, incomes


@pytest.mark.slow
def test_results_are_of_those_who_gave_it_and_say_so(tmp_path):
    survey = earnings()
    missing, incomes = draw(1000, 0.4)
    people = collect(tmp_path, survey, missing, incomes)
    field = people.find_field("income")
    found = estimate_question(people, field)
    mean, truth = found["summary"]["mean"], incomes[~missing].mean()
    assert abs(mean["share"] - truth) < 4 * mean["standard_error"] < 500
    everybody = np.where(missing, 5000, incomes).mean()
    assert abs(mean["share"] - everybody) > 4 * mean["standard_error"]
    assert found["given"] == pytest.approx((~missing).sum(), abs=80)
    assert not any("reports" in row for row in found["rows"])  # those are everybody's
    for language, said in (("en", "of those who gave it, about"), ("de", "genannt haben")):
        views = ResultViews(ResultWords(survey, language))
        assert said in views.show_question(people, field)["given"]
        assert views.show_question(people, people.find_field("cheated"))["given"] == ""
    crossed = views.show_crossed(people, "cheated", "income", "rows")
    assert said in crossed["note"] and len(crossed["groups"]) == 2


@pytest.mark.slow
def test_a_model_leaves_it_out_and_the_page_says_so(admin):
    survey = earnings(minimum=20)
    with_client = admin(survey)
    pairs = zip(*draw(400, 0.4), strict=True)
    people = [(k % 3 > 0, int(m), 5000 if m else i, k % 2) for k, (m, i) in enumerate(pairs)]
    send(survey, with_client.store, people)
    assert "Those that may be missing take no part." in with_client.get("/admin").text
    shown = with_client.get("/admin/model?target=cheated&kind=tree&learn=1").text
    assert results_texts_in("en")["model_accuracy"] in shown


@pytest.mark.slow
def test_nothing_is_shown_of_a_number_that_too_few_gave(tmp_path):
    people = collect(tmp_path, earnings(), *draw(400, 1.0))
    found = estimate_question(people, people.find_field("income"))
    assert found["rows"] == [] and found["problem"]


def test_the_page_knows_of_it_only_where_it_is_used():
    described = describe_survey(earnings())
    assert described["fields"][2]["missing"] == 1 and described["fields"][2]["stand_in"] == 5000
    assert [sheet["questions"] for sheet in described["sheets"]] == [[0], [2, 1], [3]]
    for written in (write_words(small(), "en"), write_document(small())):
        assert "stand_in" not in written and '"missing":0' not in written


def test_nobody_draws_by_hand_for_what_the_browser_must_know_anyway():
    form = earnings().questionnaire
    assert fits_modes(form, "cbbb") and fits_modes(form, "cbbo") and not fits_modes(form, "cobb")


def test_a_person_gives_a_number_or_none_in_words():
    form = earnings().questionnaire
    answers = {"works": "yes", "cheated": "no"}
    for given in (None, "", "prefer not to say", float("nan")):
        codes = form.disguise({**answers, "income": given}, iter(range(1, 99)))
        assert codes == form.disguise_answers([1, 1, 5000, 0], iter(range(1, 99)))
    with pytest.raises(AnswersError, match="no_income tells whether income is missing"):
        form.disguise({**answers, "income": 100, "no_income": "yes"}, iter(range(1, 99)))


def test_so_many_numbers_that_nobody_could_say_what_they_tell_are_not_served():
    names = [f"n{i}" for i in range(8)]
    numbers = [cf.Number(name, 0, 3, step=1, missing=f"no_{name}") for name in names]
    tellers = [cf.YesNo(f"no_{name}") for name in names]
    groups = [cf.Group([name], cf.LaplaceNoise(1)) for name in names]
    groups += [cf.Group([f"no_{name}"], cf.RelatedQuestion("3/4")) for name in names]
    with pytest.raises(DesignError, match="at most 7 numbers may be missing"):
        Survey(cf.Design([*numbers, *tellers], groups))


@pytest.mark.parametrize(
    ("groups", "page", "said"),
    [
        ((), {}, "income may be missing, so on the web it must be disguised by noise"),
        (None, {"section": [{"questions": ["no_income"]}]}, "no_income stands beside income"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line(groups, page, said):
    design = earnings().design
    changed = design if groups is None else cf.Design(design.questions, groups)
    with pytest.raises(DesignError, match=said) as caught:
        Survey(changed, Page(**page))
    assert "\n" not in str(caught.value)


def test_the_survey_may_say_it_in_words_of_its_own():
    survey = earnings()
    assert survey.wording("en").text(1) == "What do you earn a month? – Prefer not to say"
    told = [
        cf.YesNo("no_income", "I keep that to myself") if q.name == "no_income" else q
        for q in survey.design.questions
    ]
    own = Survey(cf.Design(told, survey.design.groups), Page())
    assert own.wording("en").text(1) == "I keep that to myself"
    assert own.wording("en").decline(1) == ("", "")
