"""Only the interval that holds a number is told."""

import confide as cf

EXAMPLES = {"intervals": ([cf.Number("x", 0, 10)], cf.Intervals([0, 2, 5, 10]))}
