"""Sums over reports in words are those over single answers."""

from __future__ import annotations

import numpy as np
import pytest

from confide.estimators.latent_classes import report_words
from confide.estimators.latent_classes.report_words import ReportWords


@pytest.mark.parametrize("most", [1, 6, 64, 10_000])
def test_sums_by_words_are_those_by_answers(most, monkeypatch):
    monkeypatch.setattr(report_words, "_MOST_COMBINATIONS", most)
    generator = np.random.default_rng(1)
    sizes = [2, 3, 5, 2, 100, 2, 2]
    codes = np.stack([generator.integers(0, size, 300) for size in sizes], axis=1)
    indicators = np.concatenate([np.eye(k)[codes[:, i]] for i, k in enumerate(sizes)], axis=1)
    words = ReportWords(codes.astype(np.int16), sizes)
    values, weights = generator.normal(size=(sum(sizes), 4)), generator.normal(size=(300, 4))
    np.testing.assert_allclose(words.sum_answers(values), indicators @ values, atol=1e-12)
    np.testing.assert_allclose(words.sum_reports(weights), indicators.T @ weights, atol=1e-12)


def test_many_questions_take_few_words():
    codes = np.random.default_rng(1).integers(0, 4, (50, 60))
    assert ReportWords(codes, [4] * 60)._words.nnz == 50 * 20
