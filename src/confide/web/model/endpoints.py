"""A published model on the web: the page that predicts, its test round, and what that says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from confide.counts.stores import count_store
from confide.files import Json
from confide.surveys.explanations import explain_blocks, translate_labels
from confide.surveys.written_numbers import write_number
from confide.web.addresses import ABOVE, lead_to
from confide.web.admin.accounts import Role
from confide.web.admin.admin_pages import choose_words, read_form, render_admin_page
from confide.web.admin.endpoints import Admin
from confide.web.admin.published_view import render_published
from confide.web.guard import RefusedError
from confide.web.ready_answers import ReadyAnswer
from confide.web.respondent.asked_questions import describe_questions
from confide.web.respondent.endpoints import Respondent
from confide.web.respondent.plain_pages import render_plain_page
from confide.web.static_files import hash_files

if TYPE_CHECKING:
    from confide.counts import Counts
    from confide.crowd import Estimate
    from confide.reports.report_store import ReportStore
    from confide.web.model.model_test import ModelTest
    from confide.web.model.published import Published

SCRIPTS = ("predict.js", "load.js", "words.js", "asking.js", "model.js")
"""What runs on the page that predicts."""


@dataclass(eq=False)
class ModelPages:
    """The endpoints of a published model.

    Parameters
    ----------
    published : Published
        The model.
    admin : Admin
        The survey's results.
    test_respondent : Respondent or None
        Who takes the bits of the test round, if there is one.
    """

    published: Published
    admin: Admin
    test_respondent: Respondent | None = None
    _summary: tuple[int, Counts | None, Json] | None = None

    def routes(self) -> list[Route]:
        """List the paths of the model and its test round, each with its endpoint."""
        routes = [
            Route("/model", self.page),
            Route("/model.json", self.file),
            Route("/model.svg", self.picture),
            Route("/api/model", self.api),
            Route("/admin/published", self.show),
        ]
        if self.test_respondent is not None:
            routes += [
                Route("/model/test", self.test_page),
                Route("/model/test", self.test_respondent.report, methods=["POST"]),
                Route("/model/test/invitation", self.test_respondent.invitation, methods=["POST"]),
                Route("/model/test/ticket", self.test_respondent.ticket, methods=["POST"]),
                Route("/admin/test/backup", self.backup),
                Route("/admin/test/{state}", self.set_open, methods=["POST"]),
            ]
        return routes

    async def page(self, _: Request) -> Response:
        """Serve the page that asks what the model looks at; the browser predicts."""
        survey, language = self.published.survey, self.published.survey.language
        texts, predictor = survey.texts(language), self.published.predictor
        asked, fields = describe_questions(survey, language, self.published.model.used_)
        script = {"fields": fields, "classes": translate_labels(tuple(predictor["classes"]), texts)}
        page = render_plain_page(
            survey,
            language,
            "model",
            script,
            asked=asked,
            lead=_write_lead(predictor, texts),
            accuracy=_write_accuracy(self.published.accuracy, texts),
            text=self.published.text,
            model_test=self.published.model_test,
            hashes=[("model.json", self.published.hash), *hash_files(SCRIPTS)],
        )
        return HTMLResponse(page)

    @cached_property
    def _file(self) -> ReadyAnswer:
        return ReadyAnswer(self.published.file, "application/json")

    async def file(self, request: Request) -> Response:
        """Serve the model that the browser predicts with."""
        return self._file.give(request)

    async def picture(self, _: Request) -> Response:
        """Serve the picture of a tree; naive Bayes has none."""
        drawn = self.published.picture
        if drawn is None:
            raise RefusedError(404, "naive Bayes has no picture.")
        return Response(drawn, media_type="image/svg+xml")

    async def test_page(self, _: Request) -> Response:
        """Serve the page of the test; the browser scores the model, and sends one bit."""
        model_test, test_respondent = self.published.model_test, self.test_respondent
        assert model_test is not None
        assert test_respondent is not None
        language = model_test.survey.language
        texts = model_test.survey.texts(language)
        asked, fields = describe_questions(model_test.survey, language, model_test.names)
        if model_test.personal:
            words = model_test.survey.page.personal
            asked = [q | {"text": words[n]} for q, n in zip(asked, model_test.names, strict=True)]
        is_open = await run_in_threadpool(test_respondent.store.is_open)
        script = _describe_bit(model_test, language, texts) | {"asked": fields, "open": is_open}
        page = render_plain_page(
            model_test.survey,
            language,
            "test",
            script | {"key": test_respondent.public_key},
            root=ABOVE,
            asked=asked,
            personal=model_test.personal,
            sentences=_explain_odds(model_test, texts),
            odds=None if model_test.truth == 1 else model_test.truth,
            fingerprint=model_test.design.fingerprint,
        )
        return HTMLResponse(page)

    async def api(self, request: Request) -> Response:
        """Say how accurate the model is, and what the test round says of it so far."""
        await self.admin.access.check(request, Role.READER)
        return JSONResponse(await self._describe())

    async def show(self, request: Request) -> Response:
        """Show the same on a page of the results."""
        role = await self.admin.access.check(request, Role.READER)
        words, found = choose_words(self.published.survey, request), await self._describe()
        return render_published(request, words, found, role)

    async def _describe(self) -> Json:
        published, accuracy = self.published, self.published.accuracy
        found = {
            "hash": published.hash,
            "kind": published.model.kind,
            "target": published.model.target_,
            "n": published.model.n_,
            "accuracy": None if accuracy is None else accuracy.to_dict(),
            "test": None,
        }
        if published.model_test is not None and self.test_respondent is not None:
            is_open = await run_in_threadpool(self.test_respondent.store.is_open)
            said = await self._summarize(published.model_test, self.test_respondent.store)
            found["test"] = {**said, "open": is_open}
        return found

    async def _summarize(self, model_test: ModelTest, store: ReportStore) -> Json:
        """What the round says; worked out anew when there are other bits or other reports."""
        from confide.web.model.model_test import share_by_hand

        reports, n = (
            (await self.admin.count_reports()).counts,
            await run_in_threadpool(store.count_released),
        )
        if self._summary is None or self._summary[0] != n or self._summary[1] is not reports:
            survey = model_test.survey
            bits = await run_in_threadpool(
                count_store, model_test.survey_of_bits.questionnaire, store
            )
            by_hand = await run_in_threadpool(
                share_by_hand, survey.questionnaire, self.admin.store, self.published.model.target_
            )
            found = await run_in_threadpool(model_test.summarize, bits.counts, reports, by_hand)
            self._summary = (n, reports, found)
        return self._summary[2]

    async def set_open(self, request: Request) -> Response:
        """Close the test round, after asking whether that is meant, or open it again."""
        await self.admin.access.check(request)
        assert self.test_respondent is not None
        store, wanted = self.test_respondent.store, request.path_params["state"] == "open"
        if not wanted and (await read_form(request)).get("sure") != "yes":
            words = choose_words(self.published.survey, request)
            return render_admin_page("dashboard-close.html", request, words, test_round=True)
        await self.test_respondent.writer.run(lambda: store.set_open(wanted))
        return lead_to(request, "/admin")

    async def backup(self, request: Request) -> Response:
        """Serve a consistent copy of the round's database."""
        await self.admin.access.check(request)
        assert self.test_respondent is not None
        return await self.admin.file(
            self.test_respondent.store.backup, "test-backup.db", "application/vnd.sqlite3"
        )


def _write_lead(predictor: Json, texts: dict[str, str]) -> str:
    target = predictor["target"]["text"] or predictor["target"]["name"]
    return texts["model_lead"].format(n=write_number(predictor["n"], texts), target=target)


def _write_accuracy(accuracy: Estimate | None, texts: dict[str, str]) -> str:
    """Say for how many of 100 people it is right: most likely, where the test hardly tells."""
    from confide.mining.likely_accuracy import Accuracy

    if accuracy is None:
        return texts["model_unscored"]
    likely = accuracy.likely if isinstance(accuracy, Accuracy) else None
    share = min(max(accuracy.value if likely is None else likely, 0.0), 1.0)  # of 100 people
    said = {"value": f"{100 * share:.0f}", "n": write_number(accuracy.n, texts)}
    ends = accuracy.known_interval()
    if ends is None:
        return texts["model_scored_about"].format(**said)
    low, high = (f"{100 * end:.0f}" for end in ends)
    return texts["model_scored"].format(**said, low=low, high=high)


def _explain_odds(model_test: ModelTest, texts: dict[str, str]) -> list[str]:
    """What happens to the bit, and what someone could conclude from it."""
    if model_test.truth == 1:
        return [texts["trial_plain"], texts["trial_adds"]]
    kept, total = model_test.truth.as_integer_ratio()
    _, *conclusions = explain_blocks(model_test.survey_of_bits.questionnaire, texts)[0].sentences
    odds = texts["trial_odds"].format(kept=kept, total=total, rest=total - kept)
    return [odds, *conclusions, texts["trial_adds"]]


def _describe_bit(model_test: ModelTest, language: str, texts: dict[str, str]) -> Json:
    """The round as its script needs it: a survey of one question, in the page's language."""
    _, fields = describe_questions(model_test.survey_of_bits, language, model_test.design.names)
    shown = [{**field, "text": texts["trial_right"]} for field in fields]
    return {**model_test.survey_of_bits.questionnaire.script(), "fields": shown}
