"""How often a property is tried: as the profile of HYPOTHESIS_PROFILE has it."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

SHARES = {"repeatable": 0.5, "quick": 0.15, "exploring": 10}
"""What share of the examples that a test states are tried, by the name of the profile."""

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "repeatable")

for name in SHARES:
    settings.register_profile(
        name,
        derandomize=name != "exploring",
        deadline=None,
        max_examples=round(100 * SHARES[name]),
        suppress_health_check=[HealthCheck.too_slow],  # other tests run beside it
    )
settings.load_profile(PROFILE)


def examples(number: int) -> settings:
    """Try so many examples of a property, or the profile's share of them."""
    return settings(max_examples=max(5, round(number * SHARES[PROFILE])))
