"""Surveys as TOML: reading within bounds, and writing."""

from __future__ import annotations

import json
import re
import tomllib

from confide.files import Json

_BARE = re.compile("[A-Za-z0-9_-]+")
_MOST_DOTS = 8
_MOST_LONG_KEYS = 20_000
_STRINGS_AND_COMMENTS = re.compile(
    r'''"""(?:[^\\]|\\.)*?(?:"""|\Z)|\'{3}.*?(?:\'{3}|\Z)|"(?:[^"\\\n]|\\[^\n])*"?|\'[^\'\n]*\'?|#[^\n]*''',
    re.DOTALL,
)


def read_toml(text: str) -> Json:
    """Read TOML; a mistake is a `ValueError`.

    Python's reader takes minutes and gigabytes for keys of very many parts, so they are refused
    before. What is left of a text without its words and strings shows them as dots in a row.

    >>> read_toml('forced."a.b".yes = 0.5')
    {'forced': {'a.b': {'yes': 0.5}}}
    """
    marks = re.sub(r"[\w \t-]+", "", _STRINGS_AND_COMMENTS.sub("x", text))
    if "." * _MOST_DOTS in marks:
        raise ValueError(f"a key has more than {_MOST_DOTS} parts")
    if marks.count("..") + marks.count(".=") > _MOST_LONG_KEYS:
        raise ValueError(f"it has more than {_MOST_LONG_KEYS:,} keys of several parts")
    return tomllib.loads(text)


def to_toml(survey: Json) -> str:
    r"""Write a survey; `tomllib` reads it back the same.

    >>> print(to_toml({"title": "Us", "group": [{"truth": "3/4", "forced": {"a": {"yes": 1}}}]}))
    title = "Us"
    <BLANKLINE>
    [[group]]
    truth = "3/4"
    forced = { a = { yes = 1 } }
    <BLANKLINE>
    >>> print(to_toml({"page": {"minimum": 9, "section": [{"look": "matrix"}]}}))
    [page]
    minimum = 9
    <BLANKLINE>
    [[page.section]]
    look = "matrix"
    <BLANKLINE>
    """
    return "\n".join(_write_table(survey, "")).lstrip() + "\n"


def _write_table(table: Json, prefix: str) -> list[str]:
    """Write plain values first, then tables, each under its heading."""
    lines = [
        f"{_write_key(key)} = {_write_value(value)}"
        for key, value in table.items()
        if not _is_tables(value) and not (isinstance(value, dict) and not prefix)
    ]
    for key, value in table.items():
        name = f"{prefix}{_write_key(key)}"
        if isinstance(value, dict) and not prefix:
            lines += ["", f"[{name}]", *_write_table(value, f"{name}.")]
        elif _is_tables(value):
            for each in value:
                pairs = (f"{_write_key(k)} = {_write_value(v)}" for k, v in each.items())
                lines += ["", f"[[{name}]]", *pairs]
    return lines


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _write_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _write_value(key)


def _write_value(value: object) -> str:
    if isinstance(value, dict):
        pairs = (f"{_write_key(str(k))} = {_write_value(v)}" for k, v in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_write_value, value)) + "]"
    # JSON's texts, numbers and booleans are TOML's, but for a character TOML wants escaped
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
