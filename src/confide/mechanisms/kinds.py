"""Every mechanism that a survey file can name: one line each, and nothing else to do.

`confide.mechanisms` and `confide` export what is named here.
"""

from confide.mechanisms.channel_matrix import ChannelMatrix as ChannelMatrix
from confide.mechanisms.crosswise import Crosswise as Crosswise
from confide.mechanisms.forced_response import ForcedResponse as ForcedResponse
from confide.mechanisms.gaussian_noise import GaussianNoise as GaussianNoise
from confide.mechanisms.intervals import Intervals as Intervals
from confide.mechanisms.kuk import Kuk as Kuk
from confide.mechanisms.laplace_noise import LaplaceNoise as LaplaceNoise
from confide.mechanisms.mangat import Mangat as Mangat
from confide.mechanisms.randomized_choice import RandomizedChoice as RandomizedChoice
from confide.mechanisms.related_question import RelatedQuestion as RelatedQuestion
from confide.mechanisms.triangular import Triangular as Triangular
from confide.mechanisms.uniform_noise import UniformNoise as UniformNoise
from confide.mechanisms.unrelated_question import UnrelatedQuestion as UnrelatedQuestion
