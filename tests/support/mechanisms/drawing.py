"""Exact probabilities and distributions, drawn at random for property tests."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st


@st.composite
def probabilities(draw, low=1, high=19):
    """A probability in twentieths."""
    return Fraction(draw(st.integers(low, high)), 20)


@st.composite
def distributions(draw, labels):
    """An exact distribution over labels, every one possible."""
    weights = draw(st.lists(st.integers(1, 9), min_size=len(labels), max_size=len(labels)))
    return {label: Fraction(w, sum(weights)) for label, w in zip(labels, weights, strict=True)}
