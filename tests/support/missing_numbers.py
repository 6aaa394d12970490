"""People who may prefer not to say a number, and the exact shares of their reports."""

from itertools import product

import numpy as np

import confide as cf

NUMBERS = np.arange(0, 9)


def make(noise=None, tells=None, *, clear=False, step=1):
    """A number that may be missing, what tells so, and one more question."""
    questions = [
        cf.Number("drinks", 0, 8, step=step, missing="no_drinks"),
        cf.YesNo("no_drinks"),
        cf.YesNo("smokes"),
    ]
    groups = [
        cf.Group(["drinks"], noise or cf.LaplaceNoise(2)),
        cf.Group(["no_drinks"], tells or cf.RelatedQuestion("3/4")),
        cf.Group(["smokes"], cf.RelatedQuestion("4/5")),
    ]
    return cf.Design(questions, () if clear else groups)


def draw(n, seed, share=0.3):
    """People who drink little, fewer of whom tell so if they smoke; NaN where they do not."""
    generator = np.random.default_rng(seed)
    smokes = generator.random(n) < 0.4
    drinks = generator.binomial(8, np.where(smokes, 0.3, 0.15)).astype(float)
    missing = generator.random(n) < np.where(smokes, 1.5, 0.5) * share
    return np.stack([np.where(missing, np.nan, drinks), missing, smokes], axis=1)


def expect_reports(design, truths):
    """The exact shares of all reports, from shares of (drinks, missing, smokes): a Counts."""
    channels = [
        block.mixture.matrix() for block in sorted(design.blocks, key=lambda b: b.positions)
    ]
    table = np.zeros([len(channel) for channel in channels])
    for (drinks, missing, smokes), share in truths.items():
        code = design.question("drinks").grid.code(np.array([drinks]))[0]
        columns = [c[:, t] for c, t in zip(channels, (code, missing, smokes), strict=True)]
        table += share * np.einsum("i,j,k->ijk", *columns)
    cells = np.indices(table.shape).reshape(3, -1)
    return cf.Counts.gather(design, list(cells), np.rint(table.ravel() * 1e12).astype(np.int64))


def spread(declining=(0.1, 0.6)):
    """Shares of true answers; in the place of a missing number stands the 4 of the middle."""
    truths = {}
    for smokes, drinks in product((0, 1), NUMBERS):
        share = (0.7, 0.3)[smokes] * (8 - drinks + smokes) / (36 + 9 * smokes)
        missing = declining[smokes]
        truths[drinks, 0, smokes] = share * (1 - missing)
        truths[4, 1, smokes] = truths.get((4, 1, smokes), 0) + share * missing
    return truths


def average(truths, smokes=(0, 1)):
    """The mean among those who gave the number."""
    given = {key: s for key, s in truths.items() if key[1] == 0 and key[2] in smokes}
    return sum(key[0] * s for key, s in given.items()) / sum(given.values())
