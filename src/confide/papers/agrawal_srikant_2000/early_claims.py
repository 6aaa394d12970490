"""What sections 2 to 4 claim, before anything is learned from noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from confide.papers.agrawal_srikant_2000.figures import PRINTED_WIDTHS
from confide.papers.agrawal_srikant_2000.shapes import NOISES, SHAPES
from confide.papers.cells import Row
from confide.papers.claims import Claim, Finding, NotRun, decide
from confide.papers.run_table import select


def _check_widths(rows: Sequence[Row]) -> Finding:
    off = [
        f"{row['noise']} at {float(row['confidence'] or 0):.1%}: {row['width']:.3g}, printed "
        f"{printed}"
        for row in select(rows, experiment="width")
        if abs(
            float(row["width"] or 0)
            - (printed := PRINTED_WIDTHS[str(row["noise"])][float(row["confidence"] or 0)])
        )
        > 0.011
    ]
    return decide(not off, "; ".join(off) or "all six widths agree.", "table-1")


def _check_credit_risk(rows: Sequence[Row]) -> Finding:
    people = select(rows, experiment="credit risk")
    lines = [str(row["text"]) for row in select(rows, experiment="credit risk tree")]
    tests = [line.partition("?")[0].split()[-1] for line in lines if "?" in line]
    wrong = sum(row["risk"] != row["told"] for row in people)
    return decide(
        tests == ["age", "salary"] and not wrong,
        f"the tree tests {' and then '.join(tests)}; of the six people it gets {wrong} wrong.",
        "figure-3b",
    )


def _check_gaussian_widths(rows: Sequence[Row]) -> Finding:
    width = {
        (row["noise"], row["confidence"]): float(row["width"] or 0)
        for row in select(rows, experiment="width")
    }
    ratio = {noise: width[noise, 0.999] / width[noise, 0.5] for noise in ("uniform", "gaussian")}
    return decide(
        ratio["gaussian"] > 2 * ratio["uniform"],
        f"from 50 % to 99.9 % confidence the width grows {ratio['gaussian']:.1f}-fold under "
        f"Gaussian noise, {ratio['uniform']:.1f}-fold under uniform.",
        "table-1",
    )


def _check_shapes(noise: str) -> Callable[[Sequence[Row]], Finding]:
    """A check that a reconstruction is nearer to the original than the reports are, by far."""

    def check(rows: Sequence[Row]) -> Finding:
        said, shares = [], []
        for shape in SHAPES:
            found = select(
                rows, experiment="reconstruction", shape=shape, noise=noise, method="paper"
            )
            if not found:
                raise NotRun("nothing was reconstructed in this run.")
            far, near = (
                sum(abs(float(row[line] or 0) - float(row["original"] or 0)) for row in found)
                for line in ("randomized", "reconstructed")
            )
            shares.append(near / far)
            said.append(f"{shape}: reports {far:.2f}, reconstruction {near:.2f}")
        return decide(
            max(shares) < 0.5,
            f"sum of absolute differences from the original: {'; '.join(said)}. Half is asked for.",
            "figure-2",
        )

    return check


CLAIMS_BEFORE_LEARNING = (
    Claim("2.1, Table 1", "The privacy metrics of Table 1.", _check_widths),
    Claim(
        "2.1",
        "Gaussian provides significantly more privacy at higher confidence levels.",
        _check_gaussian_widths,
    ),
    *(
        Claim(
            "3, Figure 2",
            "We are able to pick out the original shape of the distribution even though the "
            f"randomized version looks nothing like the original ({noise} noise).",
            _check_shapes(noise),
        )
        for noise in NOISES
    ),
    Claim(
        "4.1, Figure 3",
        "(Age < 25) and (Salary < 50K) are two split points that partition the records into High "
        "and Low credit risk classes.",
        _check_credit_risk,
    ),
)
