"""Models of people who do not comply, each a choice of kinds of people.

They take crowds under designs that ask the same yes-no question in different ways, to which people
were dealt at random. Weights, strata and clusters are the crowds' own; those of two crowds are
taken as drawn apart, as `Crowd.pool` takes them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Array
from confide.compliance.behaviours import KindShares, fit_kinds
from confide.compliance.compliance_result import ComplianceResult
from confide.compliance.design_sample import DesignSample
from confide.counts import Counts
from confide.crowd import Crowd, Estimate
from confide.errors import QueryError


def cheating_detection(crowds: Sequence[Crowd], question: str) -> ComplianceResult:
    """The cheating detection model (CDM; Clark and Desharnais 1998).

    Three kinds of people: an honest yes, an honest no, and those who say no whatever the coin says.
    What the last would truly have answered nobody knows: the share is that of the honest yes, and
    the bound goes up to where all of them are yes. Forced responses of yes with two different
    truths tell the three apart. In the symmetric form (CDMsym; Ostapczuk, Musch and Moshagen 2011)
    both yes and no are dictated, ``{"yes": "1/2", "no": "1/2"}``; so they are by `RelatedQuestion`.

    Parameters
    ----------
    crowds : sequence of Crowd
        Under designs with different truths; from a single one only a bound follows.
    question : str
        A yes-no question.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> designs = [
    ...     cf.Design([cf.YesNo("cheated")],
    ...               [cf.Group(["cheated"], cf.ForcedResponse(t, {"cheated": {"yes": 1}}))])
    ...     for t in ("1/4", "3/4")]
    >>> answers = np.repeat([1, 0], [3000, 7000])
    >>> crowds = [cf.Crowd(d, cf.simulate(d, answers, refusing=0.3, seed=i))
    ...           for i, d in enumerate(designs)]
    >>> found = cf.compliance.cheating_detection(crowds, "cheated")
    >>> found.kinds["refuses"]
    0.299 ± 0.015 (95 %, n = 20,000)
    """
    found = fit_kinds(_honest_and_refusing(crowds, question))
    kinds = _estimate_kinds(found, ["honest yes", "honest no", "refuses"])
    return ComplianceResult(kinds.get("honest yes"), found.bound([0], [0, 2]), kinds, found.fit)


def stochastic_lie_detector(crowds: Sequence[Crowd], question: str) -> ComplianceResult:
    """The stochastic lie detector (SLD; Moshagen, Musch and Erdfelder 2012).

    Only those whose answer is yes have a reason to lie: the kinds are an honest yes, a yes who says
    no whatever the coin says, and a no. So the share of yes is known, and the part of it that is
    honest. Warner's `RelatedQuestion` with two truths is the design it was made for.

    Parameters
    ----------
    crowds : sequence of Crowd
        Under designs with different truths; from a single one only a bound follows.
    question : str
        A yes-no question.
    """
    found = fit_kinds(_honest_and_refusing(crowds, question))
    kinds = _estimate_kinds(found, ["honest yes", "no", "yes who lies"])
    return _conclude(found, [0, 2], kinds)


def two_sample_unrelated(crowds: Sequence[Crowd], question: str) -> ComplianceResult:
    """The unrelated question whose own share nobody knows (Greenberg and others 1969).

    Two samples with two truths tell both shares. The kinds are the four combinations of the answer
    and the personal answer; the personal distribution that the designs name is not used.

    Parameters
    ----------
    crowds : sequence of Crowd
        Under `UnrelatedQuestion` designs with different truths; from a single one only a bound
        follows.
    question : str
        A yes-no question.
    """
    samples = []
    for counts in _list_counts(crowds):
        mechanism = counts.design.block(question).mechanism
        if mechanism is None or mechanism.coin is None or not mechanism.personal_cover:
            raise QueryError(
                f"two_sample_unrelated takes UnrelatedQuestion designs; {question!r} is "
                "disguised in another way."
            )
        truth = float(mechanism.coin)
        yes = np.array([1.0, truth, 1 - truth, 0.0])
        samples.append(DesignSample.of(np.stack([1 - yes, yes]), counts, [question]))
    found = fit_kinds(samples)
    shares = {"yes": found.estimate([0, 1]), "personal yes": found.estimate([0, 2])}
    kinds = {name: share for name, share in shares.items() if share is not None}
    return _conclude(found, [0, 1], kinds)


def extended_crosswise(crowds: Sequence[Crowd], question: str) -> ComplianceResult:
    """The extended crosswise model (Heck, Hoffmann and Moshagen 2018).

    Two samples with different birthdays, such as 1/4 and 3/4, give the share twice; if people
    follow the instruction both agree. The fit says whether they do: a small p-value means that many
    do not, and then no estimate can be trusted. It cannot see those who answer by a coin of their
    own; `anchor_question` can.

    Parameters
    ----------
    crowds : sequence of Crowd
        Under designs that disguise the question differently; a single one leaves the fit no
        degrees of freedom.
    question : str
        A yes-no question.
    """
    samples = [
        DesignSample.of(_channel(counts, question), counts, [question])
        for counts in _list_counts(crowds)
    ]
    found = fit_kinds(samples)
    return _conclude(found, [1], _estimate_kinds(found, ["no", "yes"]))


def anchor_question(crowd: Crowd, question: str, anchor: str) -> ComplianceResult:
    """Inattention corrected by an anchor, a question that nobody answers yes (Atsusaka and
    Stevenson 2021).

    The anchor is disguised as the question is, in a group of its own. Those who do not read report
    either answer equally often to both; all others comply. The share is that of the attentive; the
    bound allows the others to be all no or all yes.

    Parameters
    ----------
    crowd : Crowd
        Under a design with both questions.
    question, anchor : str
        Two yes-no questions; the true answer to the anchor is no for everyone.
    """
    (counts,) = _list_counts([crowd])
    if counts.design.block(question) is counts.design.block(anchor):
        raise QueryError("question and anchor must be disguised in groups of their own.")
    own, known = _channel(counts, question), _channel(counts, anchor)[:, 0]
    kinds = [np.outer(own[:, t], known).ravel() for t in (0, 1)]
    behaviour = np.stack([*kinds, np.full(len(kinds[0]), 1 / len(kinds[0]))], axis=1)
    found = fit_kinds([DesignSample.of(behaviour, counts, [question, anchor])])
    named = _estimate_kinds(found, ["attentive no", "attentive yes", "inattentive"])
    share = found.estimate_within(1, 0) if "attentive yes" in named else None
    return ComplianceResult(share, found.bound([1], [1, 2]), named, found.fit)


def _conclude(
    found: KindShares, yes: Sequence[int], kinds: dict[str, Estimate]
) -> ComplianceResult:
    """The result of a model that knows which kinds' true answer is yes."""
    return ComplianceResult(found.estimate(yes), found.bound(yes, yes), kinds, found.fit)


def _honest_and_refusing(crowds: Sequence[Crowd], question: str) -> list[DesignSample]:
    """An honest yes, an honest no and those who refuse, under every design."""
    samples = []
    for counts in _list_counts(crowds):
        matrix = _channel(counts, question)
        refuses = np.eye(len(matrix))[0]  # the first report, no, whatever the coin says
        behaviour = np.stack([matrix[:, 1], matrix[:, 0], refuses], axis=1)
        samples.append(DesignSample.of(behaviour, counts, [question]))
    return samples


def _channel(counts: Counts, question: str) -> Array:
    """M[report, truth] of a yes-no question, alone."""
    asked = counts.design.question(question)
    if asked.size != 2 or asked.grid is not None:
        raise QueryError(f"models of compliance take questions with two options; {question!r}.")
    block = counts.design.block(question)
    place = [each.name for each in block.questions].index(question)
    return block.channel_on([place]).matrix()


def _list_counts(crowds: Sequence[Crowd]) -> list[Counts]:
    """The counts of crowds, each under its own design."""
    if isinstance(crowds, Crowd):
        crowds = [crowds]
    if not all(isinstance(crowd, Crowd) for crowd in crowds):
        raise QueryError("models of compliance take crowds: cf.Crowd(design, reports).")
    if any(crowd.within for crowd in crowds):
        raise QueryError("models of compliance take whole crowds, not sub-populations.")
    batches = [counts for crowd in crowds for counts in crowd.batches]
    if not batches:
        raise QueryError("a model of compliance needs at least one crowd.")
    return batches


def _estimate_kinds(found: KindShares, names: Sequence[str]) -> dict[str, Estimate]:
    """The shares of the kinds that the designs can tell."""
    shares = ((name, found.estimate([place])) for place, name in enumerate(names))
    return {name: share for name, share in shares if share is not None}
