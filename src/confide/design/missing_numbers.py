"""Missing numbers: what is disguised in their place, and the question that tells of them.

Every report has the same shape. Where a number is missing, its stand-in is disguised, and the
yes-no question that the number names under ``missing`` is answered by yes.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from confide.design.coding import Column, encode, encode_number, find_absent
from confide.design.design import Design
from confide.design.questions import Number, YesNo
from confide.errors import AnswersError
from confide.formats import PREFER_NOT


def fill_in_missing(design: Design, columns: Mapping[str, Column]) -> dict[str, Column]:
    """Put stand-ins where numbers are missing, and say so in the columns that tell of them.

    A column that tells of a number may be there already; then it must agree with the number's.
    """
    filled = dict(columns)
    for name, teller in design.declines.items():
        number, question = design.question(name), design.question(teller)
        assert isinstance(number, Number) and isinstance(question, YesNo)
        missing = find_absent(columns[name], PREFER_NOT)
        if teller not in columns:
            filled[teller] = missing.astype(np.int64)
        else:
            said = encode(question, columns[teller]).codes
            wrong = int(np.count_nonzero((said >= 0) & ((said == 1) != missing)))
            if wrong:
                raise AnswersError(
                    f"column {teller!r} tells whether {name!r} is missing, and is wrong in "
                    f"{wrong:,} of {len(missing):,} answers. Mend it, or leave it out."
                )
        if missing.any():
            filled[name] = np.where(missing, number.stand_in, encode_number(columns[name]))
    return filled
