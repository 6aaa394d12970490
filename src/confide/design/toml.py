"""Writing a survey as TOML."""

from __future__ import annotations

import json
from typing import Any


def to_toml(survey: dict[str, Any]) -> str:
    r"""Write a survey; `tomllib` reads it back the same.

    >>> print(to_toml({"title": "Us", "group": [{"truth": "3/4", "forced": {"a": {"yes": 1}}}]}))
    title = "Us"
    <BLANKLINE>
    [[group]]
    truth = "3/4"
    forced = { "a" = { "yes" = 1 } }
    <BLANKLINE>
    """
    lines = [f"{key} = {_value(value)}" for key, value in survey.items() if not _tables(value)]
    for key, value in survey.items():
        for table in value if _tables(value) else []:
            lines += ["", f"[[{key}]]", *(f"{k} = {_value(v)}" for k, v in table.items())]
    return "\n".join(lines).lstrip() + "\n"


def _tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_value(str(k))} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # JSON's texts, numbers and booleans are TOML's, but for a character TOML wants escaped
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
