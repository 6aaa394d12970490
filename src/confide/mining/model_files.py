"""Models as JSON files: readable anywhere, and nothing in them is ever executed.

    format        "confide-model"
    version       1; another version is refused
    kind          "tree" or "naive-bayes"
    design        the survey as its own file has it, every mechanism with its truth
    fingerprint   that design's
    target, features, classes, class_kind
    n             how many reports the model was learned from
    accuracy      value, standard_error and n as estimated on test reports, with low and high,
                  the ends of its 95 % interval, or null where none is known; or null
    parameters    the learner's
    learned       a tree: one list per field, one entry per node (question: the place among the
                  features, -1 for a leaf; child: the node that each value leads to, -1 for none;
                  parent; label: the class's place; shares by class; gain;
                  unbiased_share: the node's inverse estimate and its standard error, or null).
                  Naive Bayes: prior by class, likelihood by question, class and value, and by
                  default hidden, which is what predicts: weights by hidden class, classes by
                  hidden class and class, tables by question, hidden class and value; else null.
    intervals     for a model of data without a design: how its columns became questions, and
                  whether they came with names
    checksum      SHA-256 of all the rest as JSON with sorted keys and no spaces

The checksum notices a file that was damaged or edited. It is no signature: who edits a file can
compute it anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from confide.crowd import Estimate
from confide.design import Design
from confide.design.plain_values import from_dict, to_dict
from confide.errors import ConfideError, ModelError
from confide.files import Json, write_atomically
from confide.mining.classifier import DisguisedClassifier
from confide.mining.clear_data import InferredQuestions
from confide.mining.learners import LEARNERS
from confide.mining.plain_values import from_values, to_values

VERSION = 1
LARGEST_FILE = 1 << 28
_KINDS = {learner.kind: learner for learner in LEARNERS}


def save(model: DisguisedClassifier, path: Path, accuracy: Estimate | None) -> None:
    """Write a model; nothing is left half-written."""
    contents = to_contents(model, accuracy)
    with write_atomically(path) as temporary:
        temporary.write_text(json.dumps(contents) + "\n", encoding="utf-8")


def to_contents(model: DisguisedClassifier, accuracy: Estimate | None) -> Json:
    """Give the model as plain values, with the accuracy given or else the one it has."""
    accuracy = accuracy or model.accuracy_
    contents = {
        "format": "confide-model",
        "version": VERSION,
        "kind": model.kind,
        "design": to_dict(model.design_),
        "fingerprint": model.design_.fingerprint,
        "target": model.target_,
        "features": model.features_,
        "classes": model.classes_.tolist(),
        "class_kind": model.classes_.dtype.str,
        "n": model.n_,
        "accuracy": None if accuracy is None else to_values(accuracy),
        "parameters": {
            key: value.item() if isinstance(value, np.generic) else value
            for key, value in model._write_parameters().items()
        },
        "learned": model._write_learned(),
        "intervals": _describe_intervals(model),
    }
    return {**contents, "checksum": _checksum(contents)}


def load_model(path: str | Path) -> DisguisedClassifier:
    """Read a model that ``save`` wrote.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    DisguisedTreeClassifier or DisguisedNaiveBayes
        Ready to predict; ``accuracy_`` holds the estimate that was saved with it, or None.
    """
    name = Path(path).name
    contents = _read_json(Path(path))
    if not isinstance(contents, dict) or contents.get("format") != "confide-model":
        raise ModelError(f"{name} is no model of confide.")
    if contents.get("version") != VERSION:
        raise ModelError(
            f"{name} is a model of version {contents.get('version')!r:.20}; this program reads "
            f"version {VERSION}. Learn it again, or use the program that wrote it."
        )
    if contents.get("checksum") != _checksum(contents):
        raise ModelError(f"{name} was changed after it was written. Ask for the file anew.")
    try:
        return _build_model(contents)
    except (KeyError, TypeError, ValueError, IndexError, ConfideError) as error:
        raise ModelError(f"{name} holds no sound model: {error}.") from None


def _build_model(contents: Json) -> DisguisedClassifier:
    """Make the fitted model that the contents of a file describe."""
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
    model.design_, model.target_, model.n_ = design, target, int(contents["n"])
    model.features_ = [name for name in design.names if name != target]
    model.classes_ = np.array(contents["classes"], dtype=np.dtype(contents["class_kind"]))
    options = design.question(target).size
    if model.features_ != contents["features"] or len(model.classes_) != options:
        raise ModelError("its features or classes are not those of its design")
    model.n_features_in_ = len(model.features_)
    model._inferred = _read_intervals(design, intervals) if intervals else None
    if model._inferred is not None and model._inferred.named:
        model.feature_names_in_ = np.array(model.features_, dtype=object)
    model._restore(contents["learned"])
    model.accuracy_ = from_values(contents["accuracy"]) if contents["accuracy"] else None
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


def _checksum(contents: Json) -> str:
    rest = {key: value for key, value in contents.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _read_json(path: Path) -> object:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ModelError(f"{path.name} is too large for a model. Is it the right file?")
        return json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ModelError(f"{path.name} is no JSON file, or is damaged.") from None
    except OSError as error:
        raise ModelError(f"cannot read {path.name}: {error.strerror}.") from None
