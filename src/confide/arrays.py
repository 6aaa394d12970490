"""The kinds of array, and the constants, that everybody shares."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
"""Shares, weights, numbers."""
Codes = NDArray[Any]
"""Options or intervals by their numbers, in integers of any width."""
DType = np.dtype[Any]
"""The type of an array's numbers, whatever it is."""
Values = NDArray[Any]
"""Values in the kind in which they came: texts, numbers or truth values."""
Indices = NDArray[np.intp]
"""Places in other arrays."""
Z95 = NormalDist().inv_cdf(0.975)
"""So many standard errors a 95 % interval reaches either way: 1.96."""
ROUNDING = 1e-9
"""A share as small as this is 0 but for rounding, whatever the processor made of it."""
