"""Models as JSON files: readable anywhere, and nothing in them is ever executed.

    format        "confide-model"
    version       1; another version is refused
    kind          "tree" or "naive-bayes"
    design        the survey as its own file has it, every mechanism with its truth
    fingerprint   that design's
    target, features, classes, class_kind
    n             how many reports the model was learned from
    accuracy      value, standard_error and n as estimated on test reports, or null
    parameters    the learner's
    learned       a tree: one list a field, one entry a node (question: the place among the
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
from typing import Any

import numpy as np

from confide.crowd import Estimate
from confide.design.files import from_dict, to_dict
from confide.errors import ConfideError, ModelError
from confide.files import write_atomically
from confide.mining.bayes import DisguisedNaiveBayes
from confide.mining.classifier import DisguisedClassifier
from confide.mining.clear_data import InferredQuestions
from confide.mining.trees.tree_classifier import DisguisedTreeClassifier

VERSION = 1
LARGEST_FILE = 1 << 28
_KINDS = {kind.kind: kind for kind in (DisguisedTreeClassifier, DisguisedNaiveBayes)}


def save(model: DisguisedClassifier, path: Path, accuracy: Estimate | None) -> None:
    """Write a model; nothing is left half-written."""
    contents = to_contents(model, accuracy)
    with write_atomically(path) as temporary:
        temporary.write_text(json.dumps(contents) + "\n", encoding="utf-8")


def to_contents(model: DisguisedClassifier, accuracy: Estimate | None) -> dict[str, Any]:
    """The model as plain values, with the accuracy given or else the one it has."""
    accuracy = accuracy or model.accuracy_
    parameters = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in model.get_params().items()
        if name not in ("design", "target")
    }
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
        "accuracy": None if accuracy is None else vars(accuracy),
        "parameters": parameters,
        "learned": model._learned_values(),
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


def _build_model(contents: dict[str, Any]) -> DisguisedClassifier:
    kind: Any = _KINDS[contents["kind"]]
    design = from_dict(contents["design"], "its design")
    if design.fingerprint != contents["fingerprint"]:
        raise ModelError("its design has another fingerprint")
    inferred = contents["intervals"]
    model: Any = kind(
        None if inferred else design,
        None if inferred else contents["target"],
        **contents["parameters"],
    )
    model.design_, model.target_, model.n_ = design, contents["target"], int(contents["n"])
    model.features_ = [name for name in design.names if name != model.target_]
    model.classes_ = np.array(contents["classes"], dtype=np.dtype(contents["class_kind"]))
    if model.features_ != contents["features"] or len(model.classes_) != _options(model):
        raise ModelError("its features or classes are not those of its design")
    model.n_features_in_ = len(model.features_)
    model._inferred = inferred and InferredQuestions(
        design,
        [np.array(e, dtype=float) for e in inferred["edges"]],
        inferred["categories"],
    )
    if inferred and inferred["named"]:
        model.feature_names_in_ = np.array(model.features_, dtype=object)
    model._restore(contents["learned"])
    model.accuracy_ = contents["accuracy"] and _read_estimate(**contents["accuracy"])
    return model


def _read_estimate(value: Any, standard_error: Any, n: Any) -> Estimate:
    return Estimate(float(value), float(standard_error), int(n))


def _options(model: Any) -> int:
    return int(model.design_.question(model.target_).size)


def _describe_intervals(model: DisguisedClassifier) -> dict[str, Any] | None:
    inferred = model._inferred
    if inferred is None:
        return None
    return {
        "edges": [edges.tolist() for edges in inferred.edges],
        "categories": inferred.categories,
        "named": hasattr(model, "feature_names_in_"),
    }


def _checksum(contents: dict[str, Any]) -> str:
    rest = {key: value for key, value in contents.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _read_json(path: Path) -> Any:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ModelError(f"{path.name} is too large for a model. Is it the right file?")
        return json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ModelError(f"{path.name} is no JSON file, or is damaged.") from None
    except OSError as error:
        raise ModelError(f"cannot read {path.name}: {error.strerror}.") from None
