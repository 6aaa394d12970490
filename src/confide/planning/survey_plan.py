"""Planning a survey: which truth, which groups, how many people."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress

from confide.design import Design, Finite, YesNo
from confide.errors import QueryError
from confide.mechanisms.probability import Probability
from confide.planning.assumed_shares import AssumedShares, Event, Prevalence, encode_event
from confide.planning.disclosure import measure_disclosure, measure_epsilon
from confide.planning.expectation import PowerTest, check_between_0_and_1, half_width
from confide.planning.plan_table import Plan, PlanTerms, Prospect
from confide.planning.precision import standard_error
from confide.planning.targets import CoefficientTarget, MeanTarget, ShareTarget, Target
from confide.planning.truth_search import search_variants
from confide.planning.variants import Variant, list_variants

TRUTHS = (0.6, 0.7, 0.8, 0.9)
"""What the design's own truth is compared with, unless said otherwise."""


def plan(
    design: Design,
    respondents: int,
    prevalence: Prevalence | None = None,
    margin: float | None = None,
    *,
    events: Iterable[Event] = (),
    null: float = 0.0,
    two_sided: bool = True,
    significance: float = 0.05,
    wanted_power: float | None = None,
    compare: Prevalence | None = None,
    coefficients: Mapping[tuple[str, str], float] | None = None,
    means: Mapping[str, Sequence[float]] | None = None,
    refusing: float = 0.0,
    truths: Sequence[Probability] = TRUTHS,
    largest_posterior: float | None = None,
) -> Plan:
    """What a survey would tell, and give away, for a range of truths and groupings.

    Compared are, at the design's own truth and at each of ``truths``: its groups as they are, all
    its disguised questions in one group, and each alone, where the mechanisms allow it; beside them
    what asking directly would give.

    Parameters
    ----------
    design : Design
        The survey.
    respondents : int
        How many people will be asked.
    prevalence : mapping, optional
        The assumed shares, such as ``{"cheated": 0.1}`` (see `Prevalence`). Options of questions
        not named are equally likely; without a joint questions are independent.
    margin : float, optional
        The wanted half-width of the 95 % interval of a share; with it the plan says how many people
        that needs.
    events : iterable of mappings
        What to plan for beside every disguised question, such as the pair
        ``{"cheated": "yes", "drugs": "yes"}``. A yes-no question is planned for its yes, a choice
        for its option that is hardest to estimate.
    null : float
        The share from which an event is to be told; the plan gives the power to do so.
    two_sided : bool
        Whether that test is two-sided. Against 0 or 1 it has one side: no share lies beyond.
    significance : float
        The chance with which that test rejects a null that holds.
    wanted_power : float, optional
        Such as 0.9; with it the plan says how many people that power needs.
    compare : mapping, optional
        The assumed shares in a second group of people, such as ``{"cheated": 0.2}``: half of the
        respondents are of each, the estimate is the difference, and the power is that of telling
        the groups apart. Questions that it does not name are as in the first group, and not
        planned for.
    coefficients : mapping, optional
        Coefficients of logistic regressions to plan for, such as ``{("cheated", "male"): 2}``:
        outcome and predictor with the assumed odds ratio (see `planning.expect_coefficient`).
    means : mapping, optional
        Means of numbers to plan for, such as ``{"age": (40, 12)}``: the assumed mean and standard
        deviation, and as a third the mean from which it is to be told. Of a number that may be
        missing they are those of people who give it, whose share follows from ``prevalence``.
    refusing : float
        The share of people who say no whatever the coin says: the plan then shows how far off the
        estimates of shares would be, and the power that is left.
    truths : sequence of probabilities
        The truths to compare with the design's own.
    largest_posterior : float, optional
        Such as 0.5: instead of ``truths``, search for the largest truth of every group with which
        no report makes a sensitive answer likelier than that; `Plan.choose` gives the best design.

    Returns
    -------
    Plan
        A table; ``plan.plot()`` draws it.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> plan = cf.plan(design, 2000, {"cheated": 0.1}, margin=0.03, truths=[0.6, 0.9])
    >>> for row in plan.rows():
    ...     print(row["grouping"], row["truth"], round(row["half_width"], 3))
    direct 1.0 0.013
    as designed 0.6 0.108
    as designed 0.75 0.04
    as designed 0.9 0.021
    >>> [prospect.respondents_needed for prospect in plan.prospects]
    [385, 25994, 3586, 985]
    """
    assumed = AssumedShares.of(design, prevalence)
    check_between_0_and_1(significance, "significance")
    second = None if compare is None else AssumedShares.of(design, compare)
    named = None if second is None or second.joint is not None else second.margins
    others = None if second is None else second.complete(assumed)
    chosen = _choose_events(design, assumed, named)
    wanted = _drop_repeated(design, [*chosen, *events])
    targets: list[Target] = [
        ShareTarget(design, event, assumed, null, refusing, others) for event in wanted
    ]
    for (outcome, predictor), ratio in (coefficients or {}).items():
        targets.append(CoefficientTarget(outcome, predictor, ratio, assumed))
    targets += [_read_mean(name, given, assumed) for name, given in (means or {}).items()]
    if not targets:
        raise QueryError(
            "no yes-no or choice question of this design is disguised, so there is nothing to "
            "compare. Put one in a group, or name events."
        )
    if largest_posterior is None:
        variants = list_variants(design, truths)
    else:
        if design.declines:
            raise QueryError(
                "no truths are searched for where a number may be missing, because its own report "
                "tells of that, too. Give truths to compare, and see confide privacy."
            )
        variants = search_variants(design, assumed, largest_posterior)
    terms = PlanTerms(
        respondents=respondents,
        margin=margin,
        null=null,
        two_sided=two_sided,
        significance=significance,
        wanted_power=wanted_power,
        refusing=refusing,
        compared=compare is not None,
        largest_posterior=largest_posterior,
    )
    pairs = _pair_with_variants(targets, variants)
    return Plan(tuple(_foresee(t, v, design, assumed, terms) for t, v in pairs), terms)


def _foresee(
    target: Target, variant: Variant, design: Design, assumed: AssumedShares, terms: PlanTerms
) -> Prospect:
    """What one way to disguise the survey buys for one target."""
    expected, disguised = target.expect(variant.design), variant.design
    test: PowerTest = {"two_sided": terms.two_sided, "level": 1 - terms.significance}
    everything = [name for group in design.groups for name in group.questions]
    margin = None if target.share is None else terms.margin
    wanted = terms.wanted_power if target.tested else None
    error = expected.standard_error(terms.respondents)
    told = {*design.declines.values()}  # what a number's report says of them is not looked at
    return Prospect(
        event=target.label,
        assumed=target.assumed,
        prevalence=target.share,
        variant=variant,
        truth=target.truth(variant),
        epsilon=measure_epsilon(disguised, target.names),
        person_epsilon=measure_epsilon(disguised, everything or target.names),
        disclosure=(
            None
            if target.event is None or not told.isdisjoint(target.event)
            else measure_disclosure(disguised, target.event, assumed)
        ),
        bias=expected.bias,
        standard_error=error,
        half_width=half_width(error),
        respondents_needed=None if margin is None else expected.respondents_needed(margin),
        power=expected.power(terms.respondents, **test) if target.tested else None,
        respondents_for_power=(
            None if wanted is None else expected.find_respondents(wanted, **test)
        ),
    )


def _read_mean(name: str, given: Sequence[float], assumed: AssumedShares) -> MeanTarget:
    if not isinstance(given, Sequence) or not 2 <= len(given) <= 3:
        raise QueryError(
            f"means of {name} must be its mean and its deviation, such as (40, 12), and the mean "
            f"from which it is to be told if there is one. Got {given!r}."
        )
    teller = assumed.design.declines.get(name)
    missing = None if teller is None else float(assumed.table([teller])[1])
    null = given[2] if len(given) == 3 else None
    return MeanTarget(name, given[0], given[1], null, teller, missing)


def _choose_events(
    design: Design, assumed: AssumedShares, compared: Container[str] | None
) -> Iterator[Event]:
    """One event for each disguised yes-no or choice question; of those compared, if any are."""
    for group in design.groups:
        asked = [name for name in group.questions if compared is None or name in compared]
        for question in map(design.question, asked):
            if isinstance(question, YesNo):
                yield {question.name: "yes"}
            elif isinstance(question, Finite):
                # Where its hardest option is precise enough, all are.
                possible = compress(question.options, assumed.table([question.name]))
                events = [{question.name: option} for option in possible]
                yield max(events, key=lambda event: standard_error(design, event, assumed, 1))


def _drop_repeated(design: Design, events: Iterable[Event]) -> list[Event]:
    """The events without those that say the same as one before."""
    found: dict[frozenset[tuple[str, int]], Event] = {}
    for event in events:
        found.setdefault(frozenset(encode_event(design, event).items()), event)
    return list(found.values())


def _pair_with_variants(
    targets: Iterable[Target], ways: Sequence[Variant]
) -> Iterator[tuple[Target, Variant]]:
    """Each target with every way that differs for it.

    Where groups have truths of their own, giving all of them one of these changes nothing for that
    group's questions: the design as it is then stands for both.
    """
    for target in targets:
        kept: dict[Hashable, Variant] = {}
        for way in ways:
            at = target.identify(way)
            kept[at] = way if way.own else kept.get(at, way)
        yield from ((target, way) for way in kept.values())
