"""Probabilities as people say them, never rounded towards more privacy."""

from __future__ import annotations

from math import ceil, exp, floor, inf

_EXACT = 1e-9


def of_hundred(chance: float, beside: float = 0.0) -> str:
    """A probability as people out of a hundred, rounded away from what it is held beside.

    How often a guess is right is rounded up; how often it is right without the report, held beside
    that, down; what is believed after a report away from what was believed before. Two that are
    equal are rounded alike, up.

    >>> of_hundred(0.25), of_hundred(0.331), of_hundred(0.9995), of_hundred(0.001), of_hundred(1)
    ('25', '34', 'more than 99', '1', '100')
    >>> of_hundred(0.339, beside=1), of_hundred(0.9995, beside=1), of_hundred(0.001, beside=1)
    ('33', '99', 'fewer than 1')
    >>> of_hundred(2 / 3, beside=2 / 3), of_hundred(2 / 3, beside=0.7)
    ('67', '66')
    """
    people = 100 * chance
    if abs(people - round(people)) < _EXACT:
        return str(round(people))
    if chance > beside - _EXACT:
        return "more than 99" if people > 99 else str(ceil(people))
    return "fewer than 1" if people < 1 else str(floor(people))


def write_epsilon(epsilon: float) -> str:
    """Write an epsilon with two decimals, rounded up.

    >>> write_epsilon(1.0986), write_epsilon(float("inf")), write_epsilon(2)
    ('1.10', 'infinite', '2.00')
    """
    return "infinite" if epsilon == inf else f"{ceil(epsilon * 100 - _EXACT) / 100:.2f}"


def write_odds_ratio(epsilon: float) -> str:
    """Write the odds ratio e^ε of a finite epsilon, rounded up.

    >>> write_odds_ratio(1.0986), write_odds_ratio(7.0), write_odds_ratio(40.0)
    ('3', '1,096.7', 'e^40.0')
    """
    if epsilon > 20:
        return f"e^{ceil(epsilon * 10 - _EXACT) / 10:.1f}"
    return f"{ceil(exp(epsilon) * 10 - _EXACT) / 10:,}".removesuffix(".0")


def write_amount(number: float, unit: str) -> str:
    """Write a number with its unit as people do.

    >>> write_amount(3200.0, "euros"), write_amount(0.25, ""), write_amount(2.5e6, "m")
    ('3,200 euros', '0.25', '2,500,000 m')
    """
    return f"{number:,.10g} {unit}".strip()
