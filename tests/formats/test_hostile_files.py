"""Files made to exhaust the reader are refused within bounds of time and memory."""

import json
import subprocess
import sys

import pytest

import confide as cf
from confide.design.survey_file import SurveyFile
from confide.formats.toml import read_toml
from confide.surveys.survey import find_survey_problems

MANY = 200_000
HOSTILE = {
    "dotted key": "a." * MANY + "a = 1",
    "dotted header": "[" + "a." * MANY + "a]",
    "dotted header of a list": "[[" + "a." * MANY + "a]]",
    "quoted parts": '"a".' * MANY + "a = 1",
    "literal parts": "'a' . " * (MANY // 2) + "a = 1",
    "dotted within a table": "x = {" + "a." * MANY + "a = 1}",
    "many long keys": "\n".join(f"k{i}" + ".b" * 7 + " = 1" for i in range(50_000)),
    "nested lists": "x = " + "[" * MANY,
    "nested tables": "x = " + "{a = " * MANY,
    "long number": "x = " + "9" * MANY,
    "open strings": '"""\\' * MANY,
    "many keys of two parts": "\n".join(f"k{i}.b = []" for i in range(60_000)),
    "many questions": "[[question]]\n" * 80_000,
    "many options": f"question = [{{options = {list(map(str, range(100_000)))}}}]",
}


def form(elements):
    """A SurveyJS form of so many questions."""
    return '{"pages": [{"elements": [' + ",".join(elements) + "]}]}"


HOSTILE_FORMS = {
    "many questions": form(['{"type": "boolean", "name": "n"}'] * 20_000),
    "many mentions": form(
        f'{{"type": "boolean", "name": "n{i}", "title": "{{x.n{i}}}"}}' for i in range(16_000)
    ),
    "many rates": form(f'{{"type": "rating", "name": "n{i}", "rateMax": 900}}' for i in range(900)),
    "many references": form(
        [f'{{"type": "boolean", "name": "{"a." * i}"}}' for i in range(1, 900)]
        + [
            f'{{"type": "boolean", "name": "z", "title": "{"{" + "a." * 100_000 + "}"}"}}',
            '{"type": "essay"}',
        ]
    ),
}

LOADED = """
import sys, time
from pathlib import Path
import confide as cf
start = time.process_time()
try:
    cf.Design.load(sys.argv[1])
except cf.DesignError as error:
    print(error)
print(time.process_time() - start)
status = Path("/proc/self/status").read_text()  # getrusage would count the parent's memory too
print(int(status.split("VmHWM:")[1].split()[0]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "case"),
    [("survey.toml", case) for case in HOSTILE] + [("survey.json", case) for case in HOSTILE_FORMS],
)
def test_a_hostile_file_is_refused_in_seconds_and_without_gigabytes(tmp_path, name, case):
    path = tmp_path / name
    path.write_text((HOSTILE if name == "survey.toml" else HOSTILE_FORMS)[case])
    ran = subprocess.run(
        [sys.executable, "-c", LOADED, path], capture_output=True, text=True, check=True, timeout=60
    )
    message, seconds, megabytes = ran.stdout.splitlines()
    assert message.startswith(name)
    assert float(seconds) < 10
    assert int(megabytes) < 500


def test_dots_in_texts_and_numbers_are_no_keys():
    text = 'title = "' + "a." * 50 + '"\n# ' + "b." * 50 + "\nedges = [" + "0.5, " * 50 + "1]\n"
    text += "\"a.b.c.d.e.f.g.h.i\".'x.y' = '''" + "c.\n" * 50 + "'''\n"
    assert len(read_toml(text)["edges"]) == 51


def test_no_more_than_a_hundred_findings_are_listed():
    keys = "".join(f"k{i} = 1\n" for i in range(9_000))
    sound = '[[question]]\nname = "a"\nkind = "yes-no"\n'
    for table in ("page", "page.texts", "page.personal"):
        file = SurveyFile.parse(f"{sound}[{table}]\n{keys}".encode(), "survey.toml")
        assert len(find_survey_problems(file)) == 100


def test_a_hostile_json_file_is_refused_in_one_line(tmp_path):
    primes = {f"o{i}": f"1/{2**32 - 2 * i - 1}" for i in range(20_000)}
    survey = {
        "question": [{"name": "q", "kind": "choice", "options": list(primes)}],
        "group": [
            {
                "questions": ["q"],
                "mechanism": "forced-response",
                "truth": "1/2",
                "forced": {"q": primes},
            }
        ],
    }
    for text in ("[" * MANY, '{"a":' * MANY, json.dumps(survey), '{"title": 1e999999999}'):
        (tmp_path / "survey.json").write_text(text)
        with pytest.raises(cf.DesignError, match=r"^survey\.json"):
            cf.Design.load(tmp_path / "survey.json")
