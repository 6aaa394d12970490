"""How answers are disguised: one file per mechanism, and the algebra they share."""

from confide.mechanisms import kinds
from confide.mechanisms.channel import Channel
from confide.mechanisms.grid import Grid
from confide.mechanisms.kinds import *  # noqa: F403
from confide.mechanisms.mechanism import FiniteMechanism, Mechanism
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.number_mechanism import NumberMechanism
from confide.mechanisms.randomness import Randomness

MECHANISMS: tuple[type[Mechanism], ...] = tuple(
    kind for kind in vars(kinds).values() if isinstance(kind, type)
)
"""Every mechanism a survey file can name."""

__all__ = [
    "MECHANISMS",
    "Channel",
    "FiniteMechanism",
    "Grid",
    "Mechanism",
    "Mixture",
    "NumberMechanism",
    "Randomness",
]
__all__ += [kind.__name__ for kind in MECHANISMS]
