"""confide: sensitive surveys whose collector cannot know the answers.

Each respondent's own device disguises the answers by chance before they leave it; from many
disguised reports the truth about the crowd can still be computed.
"""

from confide import privacy
from confide._version import __version__
from confide.counts import Counts
from confide.crowd import Crowd, Distribution, Estimate, Table
from confide.design import Choice, Design, Group, Number, YesNo
from confide.errors import AnswersError, ConfideError, DesignError, QueryError, ReportsError
from confide.mechanisms import (
    ChannelMatrix,
    ForcedResponse,
    GaussianNoise,
    Intervals,
    LaplaceNoise,
    RandomizedChoice,
    RelatedQuestion,
    UniformNoise,
    UnrelatedQuestion,
)

__all__ = [
    "AnswersError",
    "ChannelMatrix",
    "Choice",
    "ConfideError",
    "Counts",
    "Crowd",
    "Design",
    "DesignError",
    "Distribution",
    "Estimate",
    "ForcedResponse",
    "GaussianNoise",
    "Group",
    "Intervals",
    "LaplaceNoise",
    "Number",
    "QueryError",
    "RandomizedChoice",
    "RelatedQuestion",
    "ReportsError",
    "Table",
    "UniformNoise",
    "UnrelatedQuestion",
    "YesNo",
    "__version__",
    "privacy",
]
