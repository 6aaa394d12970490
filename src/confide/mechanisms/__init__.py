"""How answers are disguised: one file per mechanism, and the algebra they share."""

from confide.mechanisms.channel import Channel
from confide.mechanisms.channel_matrix import ChannelMatrix
from confide.mechanisms.crosswise import Crosswise
from confide.mechanisms.forced_response import ForcedResponse
from confide.mechanisms.gaussian_noise import GaussianNoise
from confide.mechanisms.grid import Grid
from confide.mechanisms.intervals import Intervals
from confide.mechanisms.kuk import Kuk
from confide.mechanisms.laplace_noise import LaplaceNoise
from confide.mechanisms.mangat import Mangat
from confide.mechanisms.mechanism import FiniteMechanism, Mechanism
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.number_mechanism import NumberMechanism
from confide.mechanisms.randomized_choice import RandomizedChoice
from confide.mechanisms.randomness import Randomness
from confide.mechanisms.related_question import RelatedQuestion
from confide.mechanisms.triangular import Triangular
from confide.mechanisms.uniform_noise import UniformNoise
from confide.mechanisms.unrelated_question import UnrelatedQuestion

MECHANISMS: tuple[type[Mechanism], ...] = (
    RelatedQuestion,
    UnrelatedQuestion,
    ForcedResponse,
    RandomizedChoice,
    Crosswise,
    Triangular,
    Mangat,
    Kuk,
    ChannelMatrix,
    UniformNoise,
    GaussianNoise,
    LaplaceNoise,
    Intervals,
)
"""Every mechanism a survey file can name."""

__all__ = [
    "MECHANISMS",
    "Channel",
    "ChannelMatrix",
    "Crosswise",
    "FiniteMechanism",
    "ForcedResponse",
    "GaussianNoise",
    "Grid",
    "Intervals",
    "Kuk",
    "LaplaceNoise",
    "Mangat",
    "Mechanism",
    "Mixture",
    "NumberMechanism",
    "RandomizedChoice",
    "Randomness",
    "RelatedQuestion",
    "Triangular",
    "UniformNoise",
    "UnrelatedQuestion",
]
