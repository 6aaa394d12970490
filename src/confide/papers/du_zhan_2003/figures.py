"""Figure 2, and what the paper does not draw: the estimated accuracy, the coins, the readings."""

from __future__ import annotations

from collections.abc import Sequence

from confide.papers.cells import Row
from confide.papers.figures import (
    MEAN,
    TRUTH,
    VARIANCE,
    Figure,
    draw_lines,
    list_values,
)
from confide.papers.original import add_original, count_tested, draw_readings
from confide.papers.run_table import select
from confide.papers.scoring_errors import list_errors


def draw(rows: Sequence[Row]) -> list[Figure]:
    """All figures of the paper."""
    found = select(rows, experiment="accuracy")
    values = list_values(found, ["truth", "method"])
    told = select(rows, experiment="privacy")
    lines = [
        {"truth": row["truth"], "told": row[name], "what": what}
        for row in told
        for name, what in (
            ("coins_told", "the coin, from the whole record"),
            ("one_answer_told", "an answer, from its report alone"),
        )
    ]
    return [
        Figure(
            "figure-2a",
            "Figure 2(a)",
            "Mean accuracy of ID3 on Adult by θ, one group, beside the original accuracy.",
            draw_lines(add_original(rows, values), TRUTH, MEAN),
        ),
        Figure(
            "figure-2b",
            "Figure 2(b)",
            "Variance of these accuracies over the repeats.",
            draw_lines(values, TRUTH, VARIANCE),
        ),
        Figure(
            "estimated-accuracy",
            "Section 4.3",
            "The accuracy estimated from disguised test people: the error that was made (root mean "
            "square over the repeats) and the error that the estimates state.",
            draw_lines(
                list_errors(found, count_tested(rows)),
                TRUTH,
                ("error", "error of the estimated accuracy"),
                "which",
            ),
        ),
        Figure(
            "privacy",
            "Section 5.3",
            "How often a guess is right: at one answer from its report alone, every answer being "
            "equally likely beforehand; and at the coin of a record from all of it, knowing the "
            "crowd.",
            draw_lines(lines, TRUTH, ("told", "guessed rightly"), "what"),
        ),
        draw_readings(rows),
    ]
