"""Models as JSON files: readable anywhere, and nothing in them is ever executed.

    format        "confide-model"
    version       1; another version is refused
    kind          "tree" or "naive-bayes"; "clusters" and "network" have no target, features,
                  classes, accuracy or intervals
    design        the survey as its own file has it, every mechanism with its truth
    fingerprint   that design's
    places        of numbers in the clear: name and where an interval begins beside its own ones;
                  none in a model of data without a design
    target, features, classes, class_kind
    n             how many reports the model was learned from
    accuracy      value, standard_error and n as estimated on test reports, with low and high,
                  the ends of its 95 % interval, or null where none is known, and likely, the
                  most likely accuracy where the test reports hardly tell it; or null
    parameters    the learner's
    learned       a tree: one list per field, one entry per node (question: the place among the
                  features, -1 for a leaf; child: the node that each value leads to, -1 for none;
                  parent; label: the class's place; shares by class; gain;
                  unbiased_share: the node's inverse estimate and its standard error; where a
                  number has noise, the tree's own share and its standard error; or null).
                  Naive Bayes: prior by class, likelihood by question, class and value, and by
                  default hidden, which is what predicts: weights by hidden class, classes by
                  hidden class and class, tables by question, hidden class and value; else null.
                  Clusters: weights by cluster, tables by question, cluster and value, their
                  standard errors, stability by cluster, tried. A network: parents by question,
                  tables by question, combination of the parents' values and value, the covariance
                  of their log odds, edges with gain and support.
    intervals     for a model of data without a design: how its columns became questions, and
                  whether they came with names
    checksum      SHA-256 of all the rest as JSON with sorted keys and no spaces

The checksum notices a file that was damaged or edited. It is no signature: who edits a file can
compute it anew.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from confide.crowd import Estimate
from confide.design import Design
from confide.design.finer_number import list_places, refine_design
from confide.design.plain_values import from_dict, to_dict
from confide.errors import ConfideError, ModelError
from confide.files import Json
from confide.mining.classifier import DisguisedClassifier
from confide.mining.clear_data import InferredQuestions
from confide.mining.clusters import DisguisedClusters
from confide.mining.learners import LEARNERS
from confide.mining.model_envelope import close_envelope, open_envelope, write_envelope
from confide.mining.network import DisguisedNetwork
from confide.mining.stored_estimate import read_estimate, write_estimate
from confide.mining.structure_model import StructureModel

_KINDS = {learner.kind: learner for learner in LEARNERS}
_STRUCTURES: dict[str, type[StructureModel]] = {
    model.kind: model for model in (DisguisedClusters, DisguisedNetwork)
}


def save(model: DisguisedClassifier, path: Path, accuracy: Estimate | None) -> None:
    """Write a model; nothing is left half-written."""
    write_envelope(path, to_contents(model, accuracy))


def to_contents(model: DisguisedClassifier, accuracy: Estimate | None) -> Json:
    """Give the model as plain values, with the accuracy given or else the one it has."""
    accuracy = accuracy or model.accuracy_
    contents = {
        "kind": model.kind,
        "design": to_dict(model.design_),
        "fingerprint": model.design_.fingerprint,
        "places": list_places(model.design_),
        "target": model.target_,
        "features": model.features_,
        "classes": model.classes_.tolist(),
        "class_kind": model.classes_.dtype.str,
        "n": model.n_,
        "accuracy": None if accuracy is None else write_estimate(accuracy),
        "parameters": model._write_parameters(),
        "learned": model._write_learned(),
        "intervals": _describe_intervals(model),
    }
    return close_envelope(contents)


def load_model(path: str | Path) -> DisguisedClassifier | StructureModel:
    """Read a model that ``save`` wrote.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    DisguisedTreeClassifier, DisguisedNaiveBayes, DisguisedClusters or DisguisedNetwork
        Ready to be asked; ``accuracy_`` of a classifier holds the estimate that was saved with it,
        or None.
    """
    contents = open_envelope(Path(path))
    structure = _STRUCTURES.get(str(contents.get("kind")))
    try:
        return structure.from_contents(contents) if structure else _build_model(contents)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, ConfideError) as error:
        raise ModelError(f"{Path(path).name} holds no sound model: {error}.") from None


def load_classifier(path: str | Path) -> DisguisedClassifier:
    """Read a model that predicts a target; refuse one that does not."""
    model = load_model(path)
    if not isinstance(model, DisguisedClassifier):
        raise ModelError(
            f"{Path(path).name} holds a model of kind {model.kind}, which predicts no target. Give "
            "a tree or naive Bayes."
        )
    return model


def _build_model(contents: Json) -> DisguisedClassifier:
    """Make the fitted model that the contents of a file describe."""
    if contents["kind"] not in _KINDS:
        raise ModelError(f"its kind is none of {', '.join([*_KINDS, *_STRUCTURES])}")
    design = from_dict(contents["design"], "its design")
    if design.fingerprint != contents["fingerprint"]:
        raise ModelError("its design has another fingerprint")
    target, intervals = contents["target"], contents["intervals"]
    learner, parameters = _KINDS[contents["kind"]], contents["parameters"]
    if intervals:
        model = learner._from_parameters(None, None, parameters)
    else:
        model = learner._from_parameters(design, target, parameters)
    if parameters.keys() != model._write_parameters().keys():
        raise ModelError("its parameters are not those of its kind")
    model.design_ = refine_design(design, map(tuple, contents.get("places", [])))
    model.target_, model.n_ = target, int(contents["n"])
    model.features_ = [name for name in design.names if name != target]
    model.classes_ = np.array(contents["classes"], dtype=np.dtype(contents["class_kind"]))
    options = design.question(target).size
    if model.features_ != contents["features"] or len(model.classes_) != options:
        raise ModelError("its features or classes are not those of its design")
    model.n_features_in_ = len(model.features_)
    model._inferred = _read_intervals(design, intervals) if intervals else None
    if model._inferred is None or model._inferred.named:
        model.feature_names_in_ = np.array(model.features_, dtype=object)
    model._restore(contents["learned"])
    model.accuracy_ = read_estimate(contents["accuracy"]) if contents["accuracy"] else None
    model._fitted = True
    return model


def _read_intervals(design: Design, intervals: Json) -> InferredQuestions:
    """Read what `_describe_intervals` gave."""
    edges = [np.array(each, dtype=float) for each in intervals["edges"]]
    return InferredQuestions(design, edges, intervals["categories"], intervals["named"])


def _describe_intervals(model: DisguisedClassifier) -> Json | None:
    inferred = model._inferred
    if inferred is None:
        return None
    return {
        "edges": [edges.tolist() for edges in inferred.edges],
        "categories": inferred.categories,
        "named": inferred.named,
    }
