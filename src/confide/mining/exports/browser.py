"""A model as the small JSON that a browser predicts with.

format      "confide-predictor", version 1
target      the predicted question's name and text; classes: its options in words
n, accuracy as in the model file
questions   the questions that the model looks at: name, text, kind, and options in the order of
            their codes, or for a number the inner edges of its intervals: the code of a number
            is how many edges are not above it
tree        nodes: {"question": place, "child": [node by code]} or {"label", "chances"}. Start
            at node 0, go to the child of the answer's code until there is a label
bayes       "prior" by class and "likelihood"[question][class][code]: the class with the largest
            product wins. If "hidden" is not null, the class with the largest
            Σ_z weights[z]·classes[z][class]·Π_i tables[i][z][code]

What was learned is written with seven significant digits: of k questions each factor of a chance is
off by at most 5·10⁻⁸ of itself, and so a chance by at most (k + 2)·2.5·10⁻⁸: 10⁻⁶ for 38.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from confide.crowd import Estimate
from confide.files import Json
from confide.mining.exports.nodes import find_inner_edges

if TYPE_CHECKING:
    from confide.mining.classifier import DisguisedClassifier

_DIGITS = 7


def build_predictor(model: DisguisedClassifier, accuracy: Estimate | None, smallest: bool) -> Json:
    """Give the model as plain values; if ``smallest``, only what predicts."""
    target = model.design_.question(model.target_)
    return {
        "format": "confide-predictor",
        "version": 1,
        "fingerprint": model.design_.fingerprint,
        "target": {"name": model.target_, "text": target.text},
        "classes": list(target.labels),
        "n": model.n_,
        "accuracy": None if accuracy is None else accuracy.to_dict(),
        "questions": [_describe_question(model, name) for name in model.used_],
        **{key: _round(each) for key, each in model._write_for_browser(smallest).items()},
    }


def _round(value: object) -> object:
    """Round every number within a value to `_DIGITS` significant digits."""
    if isinstance(value, dict):
        return {key: _round(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_round(each) for each in value]
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def _describe_question(model: DisguisedClassifier, name: str) -> Json:
    question = model.design_.question(name)
    described = {"name": name, "text": question.text, "kind": question.kind}
    if question.grid is None:
        return {**described, "options": list(question.labels)}
    return {**described, "edges": find_inner_edges(model, name).tolist()}
