"""The sampler: the same in Python, Node and the browser, and exactly as likely as it says."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from support.machine import program
from support.vectors import VECTORS, maker

import confide as cf
from confide.design.plain_values import from_dict
from confide.surveys.questionnaire import Questionnaire

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/confide/web/static"
CHECK = Path(__file__).with_name("check_vectors.mjs")


def read(name):
    return json.loads((VECTORS / f"{name}.json").read_text())


@pytest.mark.slow
def test_the_vectors_are_at_least_ten_thousand_with_failures_among_them():
    vectors = [v for name in ("draws", "reports", "bodies") for v in read(name)["vectors"]]
    assert len(vectors) >= 10_000
    assert sum(vector[-1] is None for vector in vectors) >= 1_000


def test_python_gives_every_vector():
    made = maker()
    for bound, words, drawn in read("draws")["vectors"]:
        assert made._drawn(bound, words) == drawn
    described = read("reports")
    forms = [Questionnaire(from_dict(design["survey"])) for design in described["designs"]]
    for form, design in zip(forms, described["designs"], strict=True):
        assert json.loads(json.dumps(form.script())) == design["script"]
    for design, own, answers, words, codes in described["vectors"]:
        given = made._codes(forms[design], own, answers, words)
        assert given == (None if codes is None else tuple(codes))


@pytest.mark.slow
def test_node_gives_every_vector():
    node = program("node", "nodejs")
    done = subprocess.run(
        [node, CHECK, STATIC, VECTORS], capture_output=True, text=True, check=True, timeout=60
    )
    result = json.loads(done.stdout)
    assert result == {"tried": result["tried"], "wrong": []}
    assert result["tried"] >= 10_000


@pytest.mark.slow
def test_node_notices_a_sampler_that_differs(tmp_path):
    node = program("node", "nodejs")
    (tmp_path / "report.js").write_text((STATIC / "report.js").read_text())
    altered = (STATIC / "sampler.js").read_text().replace("if (word < limit) ", "")
    (tmp_path / "sampler.js").write_text(altered)
    done = subprocess.run(
        [node, CHECK, tmp_path, VECTORS], capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(done.stdout)["wrong"]


def test_the_browser_gives_every_vector(chromium):
    files = {f"/{p.name}": p for p in [*STATIC.glob("*.js"), *VECTORS.glob("*.json"), CHECK]}
    types = {".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json"}
    page = chromium.new_page()

    def serve(route):
        path = files.get(route.request.url.removeprefix("http://localhost"))
        if path is None:
            route.fulfill(status=200, content_type="text/html", body="<title>vectors</title>")
        else:
            route.fulfill(status=200, content_type=types[path.suffix], body=path.read_text())

    page.route("**/*", serve)
    page.goto("http://localhost/")
    result = page.evaluate(
        """async () => {
          const [{ check }, sampler, report] = await Promise.all(
            ["check_vectors.mjs", "sampler.js", "report.js"].map((name) => import("/" + name)));
          const files = ["draws", "reports", "bodies"].map(async (name) =>
            (await fetch(`/${name}.json`)).json());
          return check(sampler, report, ...(await Promise.all(files)));
        }"""
    )
    page.close()
    assert result == {"tried": result["tried"], "wrong": []}
    assert result["tried"] >= 10_000


@pytest.mark.slow
def test_the_vectors_are_what_the_maker_makes(tmp_path, monkeypatch):
    made = maker()
    monkeypatch.setattr(made, "HERE", tmp_path)
    made.main()
    for name in ("draws", "reports", "bodies"):
        fresh, kept = (tmp_path / f"{name}.json"), (VECTORS / f"{name}.json")
        assert fresh.read_text() == kept.read_text()


# Tally the reports of one true code over many draws from the browser's own chance.
TALLY = """async ([weights, truth, draws]) => {
  const { draw, disguise, secureWords } = await import("/sampler.js");
  const words = secureWords();
  const tally = {};
  for (let i = 0; i < draws; i++) {
    const [report] = disguise(weights, draw([weights], words)[0], [truth]);
    tally[report] = (tally[report] ?? 0) + 1;
  }
  return tally;
}"""


@pytest.mark.statistical
def test_the_browser_adds_noise_as_often_as_the_weights_say(chromium):
    """20,000 draws: chi-square within 6 standard deviations; a wrong sampler is far off."""
    design = cf.Design([cf.Number("x", 0, 9, step=1)], [cf.Group(["x"], cf.GaussianNoise(3))])
    (weights,) = Questionnaire(design).weights
    sampling = (STATIC / "sampler.js").read_text()
    assert abs(_surprise(chromium, sampling, weights)) < 6
    mutant = sampling.replace("noise.slice(1).reverse()", "noise.slice(1)")
    assert mutant != sampling
    assert _surprise(chromium, mutant, weights) > 100


def _surprise(chromium, sampling, weights, truth=2, draws=20_000):
    """How many standard deviations the browser's reports are from the weights."""
    page = chromium.new_page()
    page.route("**/*", lambda route: route.fulfill(**answers.get(route.request.url, empty)))
    answers = {"http://localhost/sampler.js": {"content_type": "text/javascript", "body": sampling}}
    empty = {"content_type": "text/html", "body": "<title>noise</title>"}
    page.goto("http://localhost/")
    tally = page.evaluate(TALLY, [weights, truth, draws])
    page.close()
    chances, highest = Counter(), weights["points"] - 1 + 2 * weights["beyond"]
    for steps, weight in enumerate(weights["noise"]):
        for sign in {1, -1} if steps else {1}:
            place = min(max(truth + weights["beyond"] + sign * steps, 0), highest)
            chances[place] += weight / 2**32
    expected, found = Counter(), Counter()
    for place, chance in chances.items():  # rare places are counted as one: chi-square needs many
        cell = place if draws * chance >= 20 else "rare"
        expected[cell] += draws * chance
        found[cell] += tally.get(str(place), 0)
    told = sum((found[cell] - many) ** 2 / many for cell, many in expected.items())
    free = len(expected) - 1
    return (told - free) / (2 * free) ** 0.5


def test_the_sampler_is_short_and_knows_no_other_chance():
    text = (STATIC / "sampler.js").read_text()
    assert len(text.splitlines()) <= 80
    for script in STATIC.glob("*.js"):
        assert "Math.random" not in script.read_text()
