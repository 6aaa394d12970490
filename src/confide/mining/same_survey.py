"""Whether reports are of the survey that a model is of."""

from __future__ import annotations

from confide.crowd import Crowd
from confide.design import Design, Number, Question
from confide.errors import ModelError
from confide.mining.population import Population


def check_same_survey(design: Design, crowd: Population) -> None:
    """Refuse a part of a crowd, and a crowd of another survey."""
    other = crowd.design
    if isinstance(crowd, Crowd) and crowd.within:
        raise ModelError(
            f"a model is learned and scored on a whole crowd; this is the part with "
            f"{', '.join(crowd.within)} given."
        )
    if [_describe_identity(q) for q in design.questions] != [
        _describe_identity(q) for q in other.questions
    ]:
        raise ModelError(
            f"these reports are of another survey: they ask {', '.join(other.names)}; the model's "
            f"design asks {', '.join(design.names)}, perhaps with other options."
        )


def _describe_identity(question: Question) -> tuple[object, ...]:
    """List what must be the same in two surveys whose answers can be compared."""
    if isinstance(question, Number):
        return question.name, question.low, question.high, question.step
    return question.name, question.values
