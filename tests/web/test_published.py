"""A published model: what is served of it, and what its test round takes and tells."""

import gzip
import hashlib
import json
import secrets
import subprocess
import sys
from itertools import product

import httpx
import numpy as np
import pytest
from support.web_models import DESIGN, bits, exam_answers, exam_model, exams, learned
from support.web_reports import PASSWORD, body, post, send
from support.web_surveys import small

import confide as cf
from confide.mining.likely_accuracy import Accuracy
from confide.mining.stored_estimate import StoredInterval
from confide.reports.invitation_store import Redemption
from confide.reports.submissions import Outcome, Submission
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey
from confide.web.blind_signatures import find_public_key
from confide.web.model.model_test import share_by_hand
from confide.web.model.published import Published
from confide.web.server import open_survey_store, open_test_store

THETA = 2 / 3  # of the exams' one group


def tree(accuracy=None):
    model = learned("tree", method="literal", max_depth=2)
    model.accuracy_ = accuracy
    return model


@pytest.fixture(scope="module")
def moods():
    """A survey with a published tree whose test round asks people's own answers."""
    return Published(Survey(DESIGN, Page(test="3/4")), tree(cf.Estimate(0.714, 0.02, 900)))


def counted(trial, rights, seed):
    """The bits of many people, disguised by a seed."""
    return cf.Counts.of(trial.design, trial.design.disguise(rights[:, None], seed=seed))


def test_a_model_of_another_survey_is_refused():
    with pytest.raises(cf.ConfideError, match=r"another design .* than this survey's") as refused:
        Published(small(), tree())
    assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_a_model_file_is_checked_before_anything_is_served(tmp_path):
    survey = tmp_path / "survey.toml"
    DESIGN.save(survey)
    tree().save(tmp_path / "tree.json")
    changed = json.loads((tmp_path / "tree.json").read_text())
    changed["n"] += 1
    (tmp_path / "changed.json").write_text(json.dumps(changed))
    program = [sys.executable, "-c", "from confide.cli import main; main()", "serve", str(survey)]
    command = [*program, "--model", str(tmp_path / "changed.json")]
    refused = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "changed.json was changed after it was written" in refused.stderr
    assert not survey.with_suffix(".db").exists()


def test_the_page_asks_what_the_model_looks_at_and_tells_how_good_it_is(moods, serve):
    address, _ = serve(moods.survey, published=moods)
    page = httpx.get(f"{address}/model")
    used = [DESIGN.question(name).text for name in moods.model.used_]
    assert 0 < len(used) < len(DESIGN.names) - 1
    assert page.text.count('class="question"') == len(used)
    for text in used:
        assert text in page.text
    assert "right for 71 of 100 people" in page.text
    assert "from 67 to 75" in page.text
    assert moods.text in page.text.replace("&lt;", "<").replace("&#39;", "'")
    assert httpx.get(f"{address}/model?lang=de").text == page.text
    german = Published(Survey(DESIGN, Page(language="de")), moods.model)
    address, _ = serve(german.survey, published=german)
    assert "bei 71 von 100 Menschen richtig" in httpx.get(f"{address}/model").text
    own = {"content-length": "", "date": ""}
    plain = {"Accept-Encoding": "identity"}
    asked = httpx.get(address, headers=plain).headers
    assert dict(page.headers) | own | {"vary": "Accept-Encoding"} == dict(asked) | own


def test_a_test_that_hardly_tells_is_never_right_for_more_than_100_of_100_people(serve):
    for likely, share in ((0.7, 70), (None, 100)):
        whole = StoredInterval(120.0, 0.0, 1.0)
        found = Accuracy(120.0, 30.0, 100, how=whole, find_likely=lambda likely=likely: likely)
        published = Published(Survey(DESIGN), tree(found))
        address, _ = serve(published.survey, published=published)
        page = httpx.get(f"{address}/model").text
        assert f"right for {share} of 100 people" in page and "from 0 to 100" in page


def test_the_published_file_is_what_the_page_names(moods, serve):
    address, _ = serve(moods.survey, published=moods)
    file = httpx.get(f"{address}/model.json", headers={"Accept-Encoding": "identity"})
    compressed = httpx.get(f"{address}/model.json")
    assert compressed.headers["content-encoding"] == "gzip"
    assert file.content == compressed.content == moods.file
    assert hashlib.sha256(file.content).hexdigest() in httpx.get(f"{address}/model").text
    assert file.json() == json.loads(json.dumps(moods.model.predictor(accuracy=moods.accuracy)))
    assert httpx.get(f"{address}/model.svg").text.startswith("<svg")


@pytest.mark.slow
def test_of_naive_bayes_only_the_tables_that_predict_are_sent():
    model = learned("bayes")
    published = Published(Survey(DESIGN), model)
    assert set(published.predictor["bayes"]) == {"hidden"}
    assert (published.text, published.picture) == (None, None)
    assert len(gzip.compress(published.file)) < 300_000


def test_the_survey_page_links_to_a_model_only_where_there_is_one(moods, serve):
    address, _ = serve(moods.survey, published=moods)
    assert httpx.get(address).text.count('href="./model"') == 2
    assert 'href="./model"' not in httpx.get(f"{address}/offline.html").text
    without, _ = serve(moods.survey)
    assert 'href="./model"' not in httpx.get(without).text
    for path in ("/model", "/model.json", "/model/test", "/api/model"):
        assert httpx.get(without + path).status_code == 404


def test_a_bit_is_taken_once_however_often_it_comes(moods, serve):
    address, store = serve(moods.survey, published=moods)
    trial, bit = serve.test_store(address), moods.model_test.survey_of_bits
    with httpx.Client(base_url=address) as client:
        receipt = secrets.token_hex(16)
        for _ in range(3):
            sent = body(bit, (1,), receipt=receipt)
            assert post(client, sent, "/model/test").status_code == 200
        assert post(client, body(bit, (0,), receipt=receipt), "/model/test").status_code == 409
        assert post(client, body(moods.survey, (0, 1, 2, 3, 4)), "/model/test").status_code == 400
        for wrong in (b"{}", b"[]", body(bit, (1,))[:-1], body(bit, (1,)).replace(b'"1"', b'"2"')):
            assert post(client, wrong, "/model/test").status_code == 400
        assert (trial.count(), store.count()) == (1, 0)
        trial.set_open(False)
        assert post(client, body(bit, (1,)), "/model/test").status_code == 403
        elsewhere = {"Sec-Fetch-Site": "cross-site"}
        assert post(client, sent, "/model/test", **elsewhere).status_code == 403


@pytest.mark.slow
def test_a_round_is_kept_apart_from_its_survey_with_invitations_of_its_own(url):
    """Neither an invitation to the one admits to the other, nor is anything of one in the other."""
    survey = exams(test="3/4", invitation=True)
    survey = Survey(
        cf.Design(survey.design.questions, survey.design.groups, title=secrets.token_hex(8)),
        survey.page,
    )
    published = Published(survey, exam_model(survey))
    store, trial = open_survey_store(survey, url), open_test_store(published, url)
    token = hashlib.sha256(b"report").digest()
    other = hashlib.sha256(b"bit").digest()
    store.invite([token])
    trial.invite([other])
    assert find_public_key(store) != find_public_key(trial)
    blinded = secrets.token_bytes(32)
    asked = [Redemption(token, blinded), Redemption(other, blinded)]
    assert trial.redeem(asked) == [False, True]
    (bit,) = bits(published.model_test, [1])
    assert trial.settle([bit, bit]) == [Outcome.STORED] * 2
    assert (trial.count(), trial.count_invitations()) == (1, (1, 0))
    assert (store.count(), store.count_invitations()) == (0, (1, 1))
    assert store.find_records([bit.id]) == {}
    again = open_test_store(published, url)
    assert again.find_records([bit.id]) == {bit.id: bit.record}
    for each in (store, trial, again):
        each.close()


def test_another_model_or_another_disguise_is_another_round():
    survey = exams(test="3/4")
    model = exam_model(survey)
    rounds = [
        Published(survey, model),
        Published(exams(test="4/5"), model),
        Published(exams(test="1"), model),
        Published(Survey(survey.design, Page(test="3/4")), model),  # without personal questions
    ]
    deeper = cf.DisguisedNaiveBayes(survey.design, target="cheated", method="literal")
    rounds.append(
        Published(survey, deeper.fit(survey.design.disguise(exam_answers(900, 3), seed=4)))
    )
    assert len({each.model_test.design.fingerprint for each in rounds}) == len(rounds)
    assert [each.model_test.personal for each in rounds] == [True, True, True, False, True]
    assert Published(survey, model).model_test.design == rounds[0].model_test.design


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ({"test": "1/2"}, "must differ from 1/2"),
        ({"test": "1", "personal": {}}, "must be disguised"),
        ({"test": "1", "personal": {"cheated": "Is it a Monday?"}}, "must be disguised"),
        ({"test": "0"}, "hides nothing"),
        ({"test": "often"}, "must be a probability"),
        ({"test": "7/4"}, "between 0 and 1"),
    ],
)
def test_a_test_that_cannot_be_is_refused(page, complaint):
    survey = exams()
    model = exam_model(survey)
    with pytest.raises(cf.ConfideError, match=complaint):
        Published(Survey(survey.design, Page(**{"personal": survey.page.personal, **page})), model)


def right(model, answers):
    return (model.predict(answers[:, 1:]) == answers[:, 0]).astype(int)


@pytest.fixture(scope="module")
def tested():
    """A model on personal answers, the truth about it, and one survey of reports and bits."""
    survey = exams(test="3/4")
    model = exam_model(survey)
    personal = np.array(list(product((0, 1), repeat=3)))
    weights = np.where(personal == 1, 1 / 4, 3 / 4).prod(axis=1)
    private = exam_answers(400_000, 5)
    truth = {"right": right(model, personal) @ weights, "accuracy": right(model, private).mean()}
    reports = cf.Counts.of(survey.design, survey.design.disguise(exam_answers(20_000, 6), seed=7))
    chance = np.random.default_rng(8)
    rights = right(model, (chance.random((20_000, 3)) < 1 / 4).astype(int))
    return Published(survey, model), truth, reports, rights


def test_the_bits_give_the_personal_accuracy_and_so_the_models(tested):
    """Each within 4 standard errors of the truth, as the paper's equation solves it."""
    published, truth, reports, rights = tested
    found = published.model_test.summarize(counted(published.model_test, rights, 9), reports, 1)
    for name in ("right", "accuracy"):
        said = found[name]
        assert abs(said["value"] - truth[name]) < 4 * said["standard_error"]
        assert said["standard_error"] < 0.02
    codes = reports.patterns
    observed = (right(published.model, codes) @ reports.reports) / reports.n
    solved = (observed - (1 - THETA) * found["right"]["value"]) / THETA
    assert found["accuracy"]["value"] == pytest.approx(solved)
    assert truth["right"] != pytest.approx(truth["accuracy"], abs=0.1)


def by_hand(answers, personal, seed):
    """The codes that people report who draw by their own coin, with their own personal answers."""
    truth = np.random.default_rng(seed).random((len(answers), 1)) < THETA
    return np.where(truth, answers, personal)


def test_reports_by_hand_and_by_the_browser_are_each_taken_for_what_they_are(tested):
    """Personal answers that go together, unlike those a browser draws: 4 standard errors again.

    A twin: taking all reports for the one or the other is noticed.
    """
    published, truth, _, _ = tested
    survey, trial = published.survey, published.model_test
    chance = np.random.default_rng(20)
    alike = np.repeat(chance.random((60_000, 1)) < 1 / 4, 3, axis=1).astype(int)
    drawn = survey.design.disguise(exam_answers(20_000, 21), seed=22)
    told = by_hand(exam_answers(40_000, 23), alike[:40_000], 24)
    reports = cf.Counts.of(survey.design, np.concatenate([drawn, told]))
    bits = counted(trial, right(published.model, alike[40_000:]), 25)
    for share, is_close in ((2 / 3, True), (0, False), (1, False)):
        said = trial.summarize(bits, reports, share)["accuracy"]
        close = abs(said["value"] - truth["accuracy"]) < 4 * said["standard_error"]
        assert close == is_close
    known = published.model.score_disguised(cf.Crowd(survey.design, reports))
    for share in (0, 1 / 2, 1):
        found = trial.summarize(bits, reports, share)
        from_bits = share * (1 - THETA) / THETA * found["right"]["standard_error"]
        error = np.hypot(known.standard_error, from_bits)
        assert found["accuracy"]["standard_error"] == pytest.approx(error)


def test_the_share_drawn_by_hand_is_read_off_the_reports(url):
    survey = exams()
    survey = Survey(
        cf.Design(survey.design.questions, survey.design.groups, title=secrets.token_hex(8))
    )
    store, form = open_survey_store(survey, url), survey.questionnaire
    assert share_by_hand(form, store, "drugs") == 0
    modes = ["bbb"] * 15 + ["ooo"] * 9
    store.settle([Submission(secrets.token_bytes(16), form.pack((1, 0, 1), m)) for m in modes])
    assert share_by_hand(form, store, "drugs") == 3 / 8
    store.close()


def test_bits_read_with_another_truth_are_noticed(tested):
    published, truth, reports, rights = tested
    other = Published(exams(test="4/5"), published.model).model_test
    counts = cf.Counts.of(
        published.model_test.design, other.design.disguise(rights[:, None], seed=9)
    )
    said = published.model_test.summarize(counts, reports, 1)["right"]
    assert abs(said["value"] - truth["right"]) > 4 * said["standard_error"]


def test_plain_bits_are_counted_as_they_are(tested):
    model, rights = tested[0].model, tested[3]
    plain = Published(exams(test="1"), model).model_test
    found = plain.summarize(counted(plain, rights, 1), None, 0)
    assert found["right"]["value"] == pytest.approx(rights.mean())
    assert found["accuracy"] is None  # there are no reports to solve it with


def test_on_peoples_own_answers_the_bits_are_the_accuracy(tested):
    survey, model = tested[0].survey, tested[0].model
    own = Published(Survey(survey.design, Page(test="3/4")), model).model_test
    private = exam_answers(20_000, 10)
    found = own.summarize(counted(own, right(model, private), 11), None, 0)
    assert found["asked"] == "own"
    assert found["right"] == found["accuracy"]
    assert (
        abs(found["accuracy"]["value"] - tested[1]["accuracy"])
        < 4 * (found["accuracy"]["standard_error"])
    )


def test_nothing_is_estimated_below_the_minimum(tested):
    published, _, reports, rights = tested
    few = published.model_test.summarize(counted(published.model_test, rights[:49], 1), reports, 1)
    assert (few["n"], few["right"], few["accuracy"]) == (49, None, None)
    assert published.model_test.summarize(None, reports, 1)["n"] == 0
    enough = published.model_test.summarize(
        counted(published.model_test, rights[:50], 1), reports, 1
    )
    assert enough["right"] is not None


def test_the_administrator_sees_what_the_round_says_and_closes_it(tested, serve):
    published, _, _, rights = tested
    address, store = serve(published.survey, published=published)
    send(published.survey, store, exam_answers(60, 12).tolist())
    serve.test_store(address).settle(bits(published.model_test, rights[:80]))
    with httpx.Client(base_url=address, timeout=60) as client:
        assert client.get("/api/model").status_code == 401
        assert client.post("/admin/test/close").status_code == 401
        assert client.get("/admin/test/backup").status_code == 401
        given = {"key": serve.link(address), "password": PASSWORD}
        entered = client.post("/admin/welcome", data=given)
        client.headers["Cookie"] = entered.headers["set-cookie"].split(";")[0]
        said = client.get("/api/model").json()
        assert (said["target"], said["accuracy"], said["hash"]) == ("cheated", None, published.hash)
        assert (said["test"]["n"], said["test"]["open"]) == (80, True)
        assert set(said["test"]["accuracy"]) == {"value", "standard_error", "n", "low", "high"}
        assert "The published model" in client.get("/admin").text
        assert "Close the test round?" in client.post("/admin/test/close").text
        assert client.get("/api/model").json()["test"]["open"] is True
        assert client.post("/admin/test/close", data={"sure": "yes"}).status_code == 303
        assert client.get("/api/model").json()["test"]["open"] is False
        assert client.get("/admin/state").json()["open"] is True
        client.post("/admin/test/open")
        assert client.get("/api/model").json()["test"]["open"] is True
        serve.test_store(address).settle(bits(published.model_test, [1] * 19))
        assert client.get("/api/model").json()["test"]["n"] == 80
        serve.test_store(address).settle(bits(published.model_test, [1]))
        assert client.get("/api/model").json()["test"]["n"] == 100
        assert client.get("/admin/test/backup").content.startswith(b"SQLite format 3")


def test_the_api_describes_the_model_and_its_round(moods, serve):
    address, _ = serve(moods.survey, published=moods)
    document = httpx.get(f"{address}/openapi.json").json()
    described = {"/model.json", "/api/model", "/model/test"}
    assert described <= set(document["paths"])
    schema = document["paths"]["/model/test"]["post"]["requestBody"]["content"]
    properties = schema["application/json"]["schema"]["properties"]
    assert properties["design"]["const"] == moods.model_test.design.fingerprint
    for path in described:
        for method, said in document["paths"][path].items():
            answer = httpx.request(method, address + path)
            assert str(answer.status_code) in said["responses"], path


@pytest.mark.slow
def test_the_program_publishes_a_model_and_invites_to_its_test(tmp_path):
    survey = exams(test="3/4", invitation=True)
    path, model, links = (tmp_path / name for name in ("survey.toml", "tree.json", "links.csv"))
    survey.design.save(path)
    personal = "\n".join(f'{name} = "{text}"' for name, text in survey.page.personal.items())
    page = f'[page]\ninvitation = true\ntest = "3/4"\n[page.personal]\n{personal}\n'
    path.write_text(f"{path.read_text()}\n{page}")
    exam_model(survey).save(model)
    program = [sys.executable, "-c", "from confide.cli import main; main()"]
    asked = ["--count", "2", "-o", str(links), "--model", str(model)]
    subprocess.run([*program, "invite", str(path), *asked], check=True, timeout=60)
    assert links.read_text().count("http://127.0.0.1:8000/model/test#") == 2
    (database,) = tmp_path.glob("survey-test-*.db")
    trial = Published.load(Survey.load(path), model).model_test
    assert trial.design.fingerprint.startswith(database.stem.removeprefix("survey-test-"))
    crowd = open_survey_store(trial.survey_of_bits, f"sqlite:///{database}")
    assert crowd.count_invitations() == (2, 2)
    crowd.close()
