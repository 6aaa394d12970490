"""What the respondent's sampler draws is exactly as likely as the design says."""

from collections import Counter
from itertools import accumulate, pairwise, product
from math import prod

import pytest
from support.mechanisms import NUMBERS, oracle_of
from support.vectors import maker

import confide as cf
from confide.surveys import sampler
from confide.surveys.questionnaire import Questionnaire

NOISE = {
    name: each for name, each in NUMBERS.items() if hasattr(oracle_of(type(each[1])), "cumulative")
}


@pytest.mark.parametrize("design", maker().designs(), ids=lambda d: "+".join(d.names))
def test_over_all_draws_a_report_is_exactly_as_likely_as_the_channel_says(design):
    """Every draw once: counted reports against the mixture of exact matrices. No chance left."""
    form = Questionnaire(design)
    for block, weights in zip(form.blocks, form.weights, strict=True):
        if weights is None:
            continue
        bounds = sampler.bounds(weights)
        total = prod(bounds)
        if total > 50_000:
            continue
        truths = list(product(*(range(q.size) for q in block.questions)))
        for truth in truths[:6]:
            counted = Counter(
                tuple(sampler.disguise(weights, list(drawn), truth))
                for drawn in product(*map(range, bounds))
            )
            for report in truths:
                chance = sum(
                    odd * prod(matrix[r][t] for matrix, r, t in zip(m, report, truth, strict=True))
                    for odd, m in zip(block.channel.odds, block.channel.branches, strict=True)
                )
                assert counted[report] == chance * total


@pytest.mark.parametrize("name", NOISE)
def test_noise_is_as_likely_as_its_distribution_says_to_one_word_a_step(name):
    """Every word once, interval by interval: the first and the last word of each tell the rest."""
    (question,), noise = NOISE[name]

    def cumulative(amount):
        return oracle_of(type(noise)).cumulative(noise, amount)

    design = cf.Design([question], [cf.Group([question.name], noise)])
    (weights,), (field,) = Questionnaire(design).weights, Questionnaire(design).fields
    both = [*weights["noise"][:0:-1], *weights["noise"]]
    starts = [0, *accumulate(both)]
    assert starts[-1] == 2**32
    half = question.step / 2
    for truth in (0, 7, 20):
        counted = Counter()
        for start, end in pairwise(starts):
            if start < end:
                first, last = (sampler.disguise(weights, [w], [truth]) for w in (start, end - 1))
                assert first == last
                counted[first[0]] += end - start
        for report in range(field.size):
            away = float(field.label(report)) - (question.low + truth * question.step)
            low = 0 if report == 0 else cumulative(away - half)
            high = 1 if report == field.size - 1 else cumulative(away + half)
            # rounding moves each weight by half a word, and its counterpart to the middle
            assert abs(counted[report] - (high - low) * 2**32) <= len(both)


@pytest.mark.statistical
def test_draws_are_uniform_where_plain_modulo_would_be_noticed():
    bound = 3 * 2**30  # a quarter of all words must be refused
    words = sampler.secure_words()
    low = sum(sampler.below(bound, words) < 2**30 for _ in range(20_000)) / 20_000
    error = (1 / 3 * 2 / 3 / 20_000) ** 0.5
    assert abs(low - 1 / 3) < 5 * error
    biased = sum(next(words) % bound < 2**30 for _ in range(20_000)) / 20_000
    assert abs(biased - 1 / 3) > 5 * error


def test_noise_without_a_step_is_refused_and_the_step_named():
    design = cf.Design([cf.Number("age", 0, 99)], [cf.Group(["age"], cf.GaussianNoise(5))])
    with pytest.raises(cf.DesignError, match="Give the question a step, such as 1"):
        Questionnaire(design).script()
