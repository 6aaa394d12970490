"""Reports as a store keeps them: which of them can be read, and what is said of the others.

A record may be damaged by a failing disk, a cut copy or a stray hand. It stays where it is, so that
nothing is lost, and is left out of everything that is counted or exported. Damage that makes
another sound report of a report cannot be seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from confide.reports.wire import fits_modes
from confide.surveys.questionnaire import Questionnaire


def find_readable(questionnaire: Questionnaire, records: Sequence[bytes]) -> NDArray[np.bool_]:
    """Say of each record whether it is a report: of its size, with codes and modes that exist.

    >>> import confide as cf
    >>> questionnaire = Questionnaire(cf.Design([cf.YesNo("cheated")]))
    >>> records = [questionnaire.pack([1], "c"), questionnaire.pack([2], "c"), b""]
    >>> find_readable(questionnaire, records).tolist()
    [True, False, False]
    """
    fits = np.fromiter((len(record) == questionnaire.record.itemsize for record in records), bool)
    whole = b"".join(record for record, fit in zip(records, fits.tolist(), strict=True) if fit)
    fits[fits] = _are_sound(questionnaire, np.frombuffer(whole, questionnaire.record))
    return fits


def _are_sound(questionnaire: Questionnaire, rows: NDArray[np.void]) -> NDArray[np.bool_]:
    sound = np.ones(len(rows), bool)
    for i, field in enumerate(questionnaire.fields):
        sound &= rows[f"code{i}"] < field.size
    unusual = np.flatnonzero(rows["modes"] != questionnaire.usual_modes.encode())
    modes, which = np.unique(rows["modes"][unusual], return_inverse=True)
    sound[unusual] &= np.array([_has_sound_modes(questionnaire, each) for each in modes], bool)[
        which
    ]
    return sound


def _has_sound_modes(questionnaire: Questionnaire, modes: bytes) -> bool:
    return modes.isascii() and fits_modes(questionnaire, modes.decode())


def describe_damaged(damaged: int) -> str:
    """Say that damaged records are left out.

    >>> describe_damaged(1)
    '1 damaged report is left out.'
    >>> describe_damaged(2000)
    '2,000 damaged reports are left out.'
    """
    return f"{damaged:,} damaged report{' is' if damaged == 1 else 's are'} left out."
