"""`confide seal` and `confide verify`, as an ethics board would run them."""

import hashlib
import json

import pytest
from support.web_surveys import small

from confide.reports.store import open_store
from confide.surveys.seal import compute_seal
from confide.surveys.survey import Survey
from confide.web.blind_signatures import find_public_key
from confide.web.static_files import SCRIPTS, read_static_files


def write_survey(folder, page=""):
    path = folder / "small.toml"
    small().design.save(path)
    path.write_text(f"{path.read_text()}\n[page]\n{page}\n")
    return path


def test_the_seal_is_printed_with_the_hashes_of_the_scripts(confide, tmp_path):
    path = write_survey(tmp_path)
    ran = confide("seal", path)
    first, *scripts = ran.out.splitlines()
    assert (ran.code, first) == (0, compute_seal(Survey.load(path)))
    assert scripts == [
        f"{hashlib.sha256(read_static_files()[name][0]).hexdigest()}  {name}" for name in SCRIPTS
    ]
    told = json.loads(confide("seal", path, "--json").out)
    assert told["seal"] == first
    assert told["fingerprint"] == small().design.fingerprint
    assert list(told["scripts"]) == list(SCRIPTS)


def test_the_seal_depends_on_weights_words_and_language_and_on_nothing_else(tmp_path):
    plain = compute_seal(Survey.load(write_survey(tmp_path)))
    other = {
        compute_seal(Survey.load(write_survey(tmp_path, page)))
        for page in ('language = "de"', "invitation = true", 'texts = { missing = "?" }')
    }
    assert len(other) == 3 and plain not in other
    assert compute_seal(Survey.load(write_survey(tmp_path, "minimum = 7"))) == plain


@pytest.mark.slow
def test_the_seal_of_a_survey_by_invitation_names_the_key_in_its_database(confide, tmp_path):
    path = write_survey(tmp_path, "invitation = true")
    ran = confide("seal", path)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "there is no database" in ran.err and "--database" in ran.err
    assert confide("serve", path, "--offline-form", tmp_path / "form.html").code == 2
    assert confide("invite", path, "--count", "2", "-o", tmp_path / "links.csv").code == 0
    found = confide("seal", path).out.splitlines()[0]
    links = (tmp_path / "links.csv").read_text().splitlines()[1:]
    assert all(f"/#{found}." in link for link in links)
    store = open_store(f"sqlite:///{path.with_suffix('.db')}", Survey.load(path).design)
    assert found == compute_seal(Survey.load(path), find_public_key(store))
    store.close()
    assert confide("serve", path, "--offline-form", tmp_path / "form.html").code == 0
    other = f"sqlite:///{tmp_path}/other.db"
    confide("invite", path, "--count", "1", "-o", tmp_path / "more.csv", "--database", other)
    assert confide("seal", path, "--database", other).out.splitlines()[0] != found


def test_verify_says_yes_or_no_and_by_its_exit_code(confide, serve, tmp_path):
    path = write_survey(tmp_path)
    address, _ = serve(Survey.load(path))
    ran = confide("verify", address, "--survey", path)
    assert ran.code == 0, ran.out
    assert "Exactly what this release serves." in ran.out
    assert compute_seal(Survey.load(path))[:16] in ran.out
    assert confide("verify", address).code == 0
    other = write_survey(tmp_path, 'organiser = "somebody else"')
    ran = confide("verify", address, "--survey", other)
    assert ran.code == 1
    assert "Not what this release serves" in ran.out
    told = json.loads(confide("verify", address, "--survey", other, "--json").out)
    assert not told["good"]
    assert {part["part"] for part in told["parts"] if not part["good"]} == {
        "page",
        "offline form",
        "upload page",
        "weights and words",
    }


def test_an_address_that_cannot_be_reached_is_one_line(confide):
    ran = confide("verify", "http://127.0.0.1:9")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "cannot reach http://127.0.0.1:9/" in ran.err
