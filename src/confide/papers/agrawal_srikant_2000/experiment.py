"""The experiments: Table 1, Figures 2 and 3, and the trees of Figures 5 and 6."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from confide.mechanisms import GaussianNoise, UniformNoise
from confide.papers.agrawal_srikant_2000 import synthetic
from confide.papers.agrawal_srikant_2000.credit_risk import CreditRiskCell
from confide.papers.agrawal_srikant_2000.shapes import (
    NOISES as SHAPE_NOISES,
)
from confide.papers.agrawal_srikant_2000.shapes import SHAPES, WIDTH, bring_back, draw_shape
from confide.papers.agrawal_srikant_2000.tree_experiments import (
    NOISES,
    OF_THE_PAPER,
    PRIVACIES,
    Run,
)
from confide.papers.cells import Cell, Row, Scale, derive_seed
from confide.papers.run_table import settle

PROCEDURES = {"em": "paper", "squarem": "confide"}
"""The paper's iteration, stopped at 1 % of the χ² threshold, and confide's default."""
CONFIDENCES = (0.5, 0.95, 0.999)
METHODS = {"randomized": "control", "auto": "confide"}
"""The names of these lines in all papers' figures; the others have the paper's."""
_PEOPLE, _POINTS = 100_000, 100_000
_QUICK, _QUICK_PRIVACIES = 2_000, (0.25, 1.0)

NOTES = (
    "A distance that falls on the edge of uniform noise must count half, or the reconstruction "
    "breaks into spikes: the noise is integrated over the intervals instead of taken at their "
    "mid-points.",
    "Two readings of Table 2: the nine zipcodes are numbered 1 to 9 and each is its own k of the "
    "house values; equity is 0.1 · hvalue · max(hyears − 20, 0), where the print lost a sign.",
    "The intervals are the same for all classes of a node, an average of 100 points an interval "
    "and 10 to 100 of them; cut by its own size, the smaller class would seem to have nobody "
    "where the other has many.",
    "Local trees reconstruct at a node while it holds 1,000 reports, and only the attributes not "
    "yet split on above it. The number of records at which the paper stops is not printed.",
    "Whole numbers (elevel, car, zipcode) get noise in whole steps. At 10 % privacy uniform noise "
    "could not hide elevel and zipcode at all; there they are asked in the clear.",
    "How many points Figure 2 has is not printed: 100,000. Its shapes are read off the figure.",
    "Randomized, the paper's own baseline, is the control of the other papers.",
)


@dataclass(frozen=True)
class TreeCell(Cell):
    """One function, noise and privacy, once: the same people and reports for all algorithms."""

    function: int
    noise: str
    privacy: float
    repeat: int
    people: int
    algorithms: tuple[str, ...] = OF_THE_PAPER

    @property
    def cost(self) -> float:
        return (20.0 if "auto" in self.algorithms else 4.0) * self.people / _PEOPLE

    def measure(self, folder: Path | None) -> list[Row]:
        del folder  # needs no data
        run = Run(self.function, self.noise, self.privacy, self.repeat, self.people)
        rows = run.measure(self.algorithms)
        return [
            {
                "experiment": "accuracy",
                **row,
                "algorithm": "tree",
                "method": METHODS.get(str(row["algorithm"]), row["algorithm"]),
                "repeat": self.repeat,
            }
            for row in rows
        ]


@dataclass(frozen=True)
class ShapeCell(Cell):
    """One shape under one noise, brought back (Figure 2)."""

    shape: str
    noise: str
    procedure: str
    points: int

    @property
    def cost(self) -> float:
        return 0.3

    def measure(self, folder: Path | None) -> list[Row]:
        del folder  # needs no data
        seed = derive_seed("agrawal-srikant-2000", self.shape, self.noise)
        values = draw_shape(self.shape, self.points, seed)
        lines = bring_back(values, self.noise, self.procedure, seed + 1)
        middles = np.round(np.arange(-0.5, 1.5, WIDTH) + WIDTH / 2, 3).tolist()
        return [
            {
                "experiment": "reconstruction",
                "shape": self.shape,
                "noise": self.noise,
                "method": PROCEDURES[self.procedure],
                "seed": seed,
                "middle": middle,
                "original": settle(original),
                "randomized": settle(randomized),
                "reconstructed": settle(reconstructed),
            }
            for middle, original, randomized, reconstructed in zip(middles, *lines, strict=True)
        ]


@dataclass(frozen=True)
class WidthCell(Cell):
    """How wide the interval is in which a number can be told (Table 1)."""

    def measure(self, folder: Path | None) -> list[Row]:
        del folder  # needs no data
        units = {
            "uniform": (UniformNoise(0.5), "2α"),  # half a unit to each side
            "gaussian": (GaussianNoise(1.0), "σ"),
        }
        rows: list[Row] = [
            {"noise": noise, "unit": unit, "confidence": level, "width": settle(kind.width(level))}
            for noise, (kind, unit) in units.items()
            for level in CONFIDENCES
        ]
        return [{"experiment": "width", **row} for row in rows]


def list_cells(scale: Scale) -> list[Cell]:
    """All cells of the paper."""
    n = _QUICK if scale.quick else _PEOPLE
    points = _POINTS // 5 if scale.quick else _POINTS
    privacies = _QUICK_PRIVACIES if scale.quick else PRIVACIES
    slow = [(f, p) for f in synthetic.FUNCTIONS for p in privacies]
    if scale.quick:
        slow = [(1, 1.0), (4, 1.0)]
    return [
        WidthCell(),
        CreditRiskCell(),
        *(
            ShapeCell(shape, noise, procedure, points)
            for shape in SHAPES
            for noise in SHAPE_NOISES
            for procedure in PROCEDURES
        ),
        *(
            TreeCell(function, noise, privacy, repeat, n)
            for function in synthetic.FUNCTIONS
            for repeat in range(scale.repeats)
            for noise in NOISES
            for privacy in privacies
        ),
        *(
            TreeCell(function, noise, privacy, repeat, n, ("auto",))
            for repeat in range(scale.default_repeats)
            for noise in NOISES
            for function, privacy in slow
        ),
    ]
