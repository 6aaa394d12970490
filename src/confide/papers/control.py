"""What was gained over the honest control: an ordinary learner on the reports as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from confide.papers.cells import Row
from confide.papers.claims import Claim, Finding, NotRun, decide
from confide.papers.run_table import average, select


def ask_for_gain(learner: str, truths: Sequence[float], figure: str, **where: object) -> Claim:
    """Ask whether a paper's method is worth more than to take reports for true.

    It holds where at half or more of the θ the mean accuracy is higher by more than two standard
    errors of the difference, and at none of them lower by as much.
    """
    return Claim(
        "asked here",
        f"The paper's method learns more than an ordinary {learner} on the reports as they are, "
        f"which knows nothing of the disguise{_say(where)}.",
        _compare(truths, figure, where),
    )


def _say(where: dict[str, object]) -> str:
    return f" ({', '.join(f'{name}: {value}' for name, value in where.items())})" if where else ""


def _compare(
    truths: Sequence[float], figure: str, where: dict[str, object]
) -> Callable[[Sequence[Row]], Finding]:
    def check(rows: Sequence[Row]) -> Finding:
        found = select(rows, experiment="accuracy", **where)
        gains = {truth: _find_gain(found, truth) for truth in truths}
        more = [truth for truth, (gain, error) in gains.items() if gain > 2 * error]
        less = [truth for truth, (gain, error) in gains.items() if gain < -2 * error]
        said = ", ".join(f"{truth}: {gain:+.3f}" for truth, (gain, _) in gains.items())
        return decide(
            len(more) >= len(truths) / 2 and not less,
            f"accuracy gained over the control, by θ: {said}; more than chance at "
            f"{_list(more)}, less at {_list(less)}.",
            figure,
        )

    return check


def _find_gain(rows: Sequence[Row], truth: float) -> tuple[float, float]:
    """The difference of the mean accuracies, and its standard error."""
    ours = average(rows, truth=truth, method="paper")
    theirs = average(rows, truth=truth, method="control")
    if ours is None or theirs is None:
        raise NotRun(f"θ = {truth} was not run.")
    return ours.mean - theirs.mean, (ours.error**2 + theirs.error**2) ** 0.5


def _list(truths: Sequence[float]) -> str:
    return ", ".join(map(str, truths)) or "none"
