"""confide: sensitive surveys whose collector cannot know the answers.

Each respondent's own device disguises the answers by chance before they leave it; from many
disguised reports the truth about the crowd can still be computed.
"""

from typing import TYPE_CHECKING

from confide import compliance, privacy
from confide._version import __version__
from confide.compliance import simulate
from confide.counts import Counts
from confide.crowd import Crowd, Distribution, Estimate, ReportsInPlace, Table, cut
from confide.design import Choice, Design, Group, Number, YesNo
from confide.errors import (
    AnswersError,
    ConfideError,
    DesignError,
    ModelError,
    QueryError,
    ReportsError,
)
from confide.mechanisms import MECHANISMS
from confide.mechanisms.kinds import *  # noqa: F403
from confide.planning import Plan, plan

if TYPE_CHECKING:  # they bring scikit-learn in, which `import confide` does not wait for
    from confide.mining import (
        DisguisedClusters,
        DisguisedNaiveBayes,
        DisguisedNetwork,
        DisguisedRules,
        DisguisedTreeClassifier,
        cross_validate_disguised,
        disguised_scorer,
        load_model,
        search_disguised,
    )
    from confide.regression import DisguisedRegression, RegressionResult

_LEARNERS = (
    "DisguisedClusters",
    "DisguisedNaiveBayes",
    "DisguisedNetwork",
    "DisguisedRules",
    "DisguisedTreeClassifier",
    "cross_validate_disguised",
    "disguised_scorer",
    "load_model",
    "search_disguised",
)
_REGRESSION = ("DisguisedRegression", "RegressionResult")

__all__ = [
    "AnswersError",
    "Choice",
    "ConfideError",
    "Counts",
    "Crowd",
    "Design",
    "DesignError",
    "DisguisedClusters",
    "DisguisedNaiveBayes",
    "DisguisedNetwork",
    "DisguisedRegression",
    "DisguisedRules",
    "DisguisedTreeClassifier",
    "Distribution",
    "Estimate",
    "Group",
    "ModelError",
    "Number",
    "Plan",
    "QueryError",
    "RegressionResult",
    "ReportsError",
    "ReportsInPlace",
    "Table",
    "YesNo",
    "__version__",
    "compliance",
    "cross_validate_disguised",
    "cut",
    "disguised_scorer",
    "load_model",
    "plan",
    "privacy",
    "search_disguised",
    "simulate",
]
__all__ += [kind.__name__ for kind in MECHANISMS]


if not TYPE_CHECKING:  # a type checker knows the names above, and that there are no others

    def __getattr__(name: str) -> object:
        """Load the learners, and scikit-learn with them, when one is asked for."""
        if name in _LEARNERS:
            import confide.mining

            return getattr(confide.mining, name)
        if name in _REGRESSION:
            import confide.regression

            return getattr(confide.regression, name)
        raise AttributeError(f"module 'confide' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Name what is public, the learners too before one is loaded."""
    return sorted(__all__)
