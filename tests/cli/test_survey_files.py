"""Every command reads every format, and `check` says all that `serve` would refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import confide as cf
from confide.cli.commands import serve as serving
from confide.design.survey_file import SurveyFile
from confide.surveys.survey import Survey, find_survey_problems

PAGE = {"organiser": "us", "invitation": True, "texts": {"send": "Go"}}
DESIGN = cf.Design(
    [cf.YesNo("cheated", "Ever?"), cf.Choice("faculty", ["arts", "law"])],
    [cf.Group(["cheated"], cf.RelatedQuestion("3/4"))],
    title="Campus",
)
PAGE_TOML = '\n[page]\norganiser = "us"\ninvitation = true\ntexts = { send = "Go" }\n'


def written(folder, name):
    """The same survey in a file of this name, with its page where the format holds one."""
    path = folder / name
    kind = path.suffix.lower()
    if name.startswith("form") and kind == ".json":
        form = DESIGN.to_surveyjs()
        form["confide"]["page"] = PAGE
        path.write_text(json.dumps(form))
        return path
    DESIGN.save(path)
    if kind == ".toml":
        mark = b"\xef\xbb\xbf" if "mark" in name else b""
        path.write_bytes(mark + path.read_bytes() + PAGE_TOML.encode())
    if kind == ".json":
        path.write_text(json.dumps({**json.loads(path.read_text()), "page": PAGE}))
    return path


FILES = ["survey.toml", "mark.toml", "S.TOML", "d.json", "D.JSON", "form.json", "f.xlsx", "F.XLSX"]


@pytest.mark.parametrize("name", FILES)
def test_every_format_holds_the_same_survey(tmp_path, name):
    file = SurveyFile.read(written(tmp_path, name))
    assert file.design.fingerprint == DESIGN.fingerprint
    assert file.page == ({} if name.lower().endswith(".xlsx") else PAGE)
    survey = Survey.load(tmp_path / name)
    assert survey.design == DESIGN
    assert survey.title == "Campus"


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_command_reads_every_format(confide, tmp_path, name):
    survey = written(tmp_path, name)
    answers = "cheated,faculty\n" + "yes,arts\nno,law\nno,arts\n" * 40
    Path("answers.csv").write_text(answers)
    runs = [
        ("check", survey),
        ("privacy", survey),
        ("plan", survey, "--respondents", 500),
        ("disguise", survey, "answers.csv", "-o", "reports.csv", "--seed", 1),
        ("estimate", survey, "reports.csv"),
        ("tree", survey, "reports.csv", "--target", "cheated", "-o", "tree.json"),
        ("bayes", survey, "reports.csv", "--target", "cheated"),
        ("rules", survey, "reports.csv"),
        ("score", survey, "tree.json", "reports.csv"),
    ]
    if not name.lower().endswith(".xlsx"):  # a workbook has no page that could say so
        runs.append(("invite", survey, "--count", 2, "-o", "links.csv"))
    runs.append(("serve", survey, "--offline-form", "form.html"))
    for run in runs:
        ran = confide(*run)
        assert ran.code == 0, (run[0], ran.err)


def test_an_invitation_to_a_workbook_is_refused_in_one_line(confide, tmp_path):
    ran = confide("invite", written(tmp_path, "f.xlsx"), "--count", 2, "-o", "links.csv")
    assert ran.code == 2
    assert "invitation = true" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
def test_a_file_in_another_encoding_is_refused_alike_everywhere(confide, tmp_path, encoding):
    path = tmp_path / "survey.toml"
    path.write_bytes(
        ('title = "Café"' + "\n[[question]]\nname = 'a'\nkind = 'yes-no'\n").encode(encoding)
    )
    for command in (["check"], ["serve"], ["invite", "--count", 1, "-o", "x.csv"]):
        ran = confide(command[0], path, *command[1:])
        assert ran.code == 2
        assert "Traceback" not in ran.err
        assert "Save it as UTF-8" in ran.err
        assert ("UTF-16" in ran.err) == encoding.startswith("utf-16")


AGE = '[[question]]\nname = "age"\nkind = "number"\nlow = 0\nhigh = 10\n'
ONLY_SERVE_REFUSES = {
    "misspelt": ('[page]\norganizer = "us"', "unknown key 'organizer'"),
    "wanted": ('[page]\nwanted = "many"', "wanted of the page must be a whole number"),
    "wanted huge": (f"[page]\nwanted = 0x{'f' * 9000}", "wanted of the page must be at"),
    "minimum": ("[page]\nminimum = -3", "minimum of the page must be at least 1"),
    "consent": ("[page]\nconsent = true", "consent of the page must be a text"),
    "personal": ('[page.personal]\nchated = "?"', "no question 'chated'"),
    "personal of another": ('[page.personal]\ncheated = "?"', "has no personal one"),
    "personal as a list": ("[page]\npersonal = []", "personal of the page must be a table"),
    "personal of numbers": ("[page]\npersonal = { cheated = 3 }", "must be a text"),
    "texts": ('[page.texts]\nsned = "Go"', "no text 'sned'"),
    "placeholder": ('[page.texts]\nrange = "from {lwo}"', "may have {high}, {low} in braces"),
    "braces": ('[page.texts]\nrange = "from {"', "in braces"),
    "attribute": ('[page.texts]\nrange = "{low.__class__}"', "in braces"),
    "exit": ('[page]\nexit = "javascript:alert(1)"', "https://"),
    "exit to nowhere": ('[page]\nexit = "https://"', "https://"),
    "language": ('[page]\nlanguage = "qaa"', "[page.texts]"),
    "half a language": ('[page]\nlanguage = "qaa"\ntexts = { send = "Go" }', "without skip, exit"),
    "no language": ('[page]\nlanguage = "<b>"\ntexts = { send = "Go" }', "such as"),
    "test": ('[page]\ntest = "often"', "test of the page must be a probability"),
    "test without disguise": ('[page]\ntest = "1"', "must lie between 0 and 1"),
    "test says nothing": ('[page]\ntest = "1/2"', "differ from 1/2"),
    "page": ("page = 3\n", "under [page]"),
    "noise": (
        AGE + '[[group]]\nquestions = ["age"]\nmechanism = "laplace-noise"\nscale = 2\n',
        "age has no step",
    ),
    "steps": (AGE + "step = 1e-9\n", "10,000,000,001 possible numbers"),
    "narrow": (AGE.replace("10", "1e-300"), "too narrow"),
    "options": (
        '[[question]]\nname = "c"\nkind = "choice"\noptions = '
        f"{[f'o{i}' for i in range(1001)]}\n"
        '[[group]]\nquestions = ["c"]\nmechanism = "randomized-choice"\nkeep = 0.5\n',
        "1,001 options",
    ),
}
SOUND = (
    '[[question]]\nname = "cheated"\nkind = "yes-no"\n'
    '[[group]]\nquestions = ["cheated"]\nmechanism = "related-question"\ntruth = "3/4"\n'
)


@pytest.mark.slow
@pytest.mark.parametrize("case", ONLY_SERVE_REFUSES)
def test_check_says_what_serve_refuses(confide, tmp_path, case):
    text, expected = ONLY_SERVE_REFUSES[case]
    path = tmp_path / "survey.toml"
    path.write_text(text + SOUND if case == "page" else SOUND + text)
    served = confide("serve", path, "--offline-form", "form.html")
    assert served.code == 2
    assert expected in served.err
    assert served.err.count("\n") == 1
    if case == "options":
        assert expected in " ".join(find_survey_problems(SurveyFile.read(path)))
        return  # the privacy of a thousand options takes its time
    checked = confide("check", path)
    assert checked.code == 1
    assert expected in " ".join(checked.out.split())
    assert "For all other commands it is sound." in checked.out
    assert checked.out.index("✗") < checked.out.index("Fingerprint")
    told = json.loads(confide("check", path, "--json").out)
    assert (told["sound"], told["served"]) == (True, False)
    assert any(expected in finding for finding in told["findings"])


def test_all_findings_are_listed_and_the_worst_is_first(confide, tmp_path):
    path = tmp_path / "survey.toml"
    path.write_text(
        SOUND.replace("3/4", "1/2")
        + '[[group]]\nquestions = ["drugs"]\nmechanism = "related-question"\ntruth = "3/4"\n'
        + '[page]\norganizer = "us"\nwanted = "many"\nconsent = true\n'
    )
    ran = confide("check", path)
    assert ran.code == 2
    assert ran.err.count("\n") == 1 and "'drugs'" in ran.err
    found = [line for line in ran.out.splitlines() if line.startswith("✗")]
    words = ["'drugs'", "says nothing", "organizer", "wanted", "consent"]
    assert len(found) == 5
    for word, finding in zip(
        words, json.loads(confide("check", path, "--json").out)["findings"], strict=True
    ):
        assert word in finding
    served = confide("serve", path)
    assert "And 4 more: see confide check." in served.err


def test_a_broken_question_does_not_hide_the_others(confide, tmp_path):
    path = tmp_path / "survey.toml"
    path.write_text(
        SOUND.replace("yes-no", "essay").replace('"3/4"', "2") + AGE.replace("10", "-1")
    )
    findings = json.loads(confide("check", path, "--json").out)["findings"]
    assert [finding.split(":")[0] for finding in findings] == [
        "question 1 (cheated)",
        "question 2 (age)",
        "group 1",
    ]


def test_a_sound_survey_is_served_and_checked_alike(confide, tmp_path):
    path = tmp_path / "survey.toml"
    path.write_text(SOUND + '[page]\nlanguage = "de-AT"\nwanted = 40\ntest = "3/4"\n')
    ran = confide("check", path)
    assert ran.code == 0
    assert "survey.toml is sound." in ran.out
    assert confide("serve", path, "--offline-form", "form.html").code == 0
    assert "Ihre Antworten" in Path("form.html").read_text(encoding="utf-8")


def test_check_needs_nothing_of_the_web_app(confide, tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "import_serving", None)
    path = tmp_path / "survey.toml"
    path.write_text(SOUND)
    assert confide("check", path).code == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (SOUND.encode("utf-16-le"), "looks like UTF-16"),
        (f"{SOUND}\n[page]\nwanted = {'9' * 5000}".encode(), "too many digits"),
    ],
)
def test_what_a_reader_cannot_take_is_said_in_our_words(content, words):
    with pytest.raises(cf.DesignError, match=words):
        SurveyFile.parse(content, "survey.toml")


def test_a_worked_survey_is_listed_copied_and_sound(confide):
    listed = confide("init").out
    assert "workplace-harassment" in listed and "undeclared work" in listed
    assert confide("init", "survey.toml", "--from", "workplace-harassment").code == 0
    assert confide("check", "survey.toml").code == 0
    assert "Known are corruption" in confide("init", "b.toml", "--from", "crime").err
