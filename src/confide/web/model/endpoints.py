"""A published model on the web: the page that predicts, its test round, and what that says."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from confide.counts.stores import count_store
from confide.web.admin.endpoints import Admin, form_of, page_of
from confide.web.guard import RefusedError
from confide.web.respondent import rendering
from confide.web.respondent.endpoints import Respondent
from confide.web.respondent.odds import explained, labelled
from confide.web.respondent.written_numbers import written

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
    respondent : Respondent
        The survey's page.
    admin : Admin
        The survey's results.
    taken : Respondent or None
        Who takes the bits of the test round, if there is one.
    """

    published: Published
    respondent: Respondent
    admin: Admin
    taken: Respondent | None = None
    _found: tuple[int, Counts | None, dict[str, Any]] | None = None

    def routes(self) -> list[Route]:
        """All of them."""
        routes = [
            Route("/model", self.page),
            Route("/model.json", self.file),
            Route("/model.svg", self.picture),
            Route("/api/model", self.api),
        ]
        if self.taken is not None:
            routes += [
                Route("/model/test", self.trial_page),
                Route("/model/test", self.taken.report, methods=["POST"]),
                Route("/model/test/invitation", self.taken.invitation, methods=["POST"]),
                Route("/admin/test/backup", self.backup),
                Route("/admin/test/{state}", self.set_open, methods=["POST"]),
            ]
        return routes

    async def page(self, request: Request) -> Response:
        """Ask what the model looks at; the browser predicts."""
        survey, language = self.published.survey, self.respondent.language(request)
        texts, predictor = survey.texts(language), self.published.predictor
        asked, fields = rendering.questions(survey, language, self.published.model.used_)
        script = {"fields": fields, "classes": labelled(tuple(predictor["classes"]), texts)}
        page = rendering.plain_page(
            survey,
            language,
            "model",
            script,
            asked=asked,
            lead=_lead(predictor, texts),
            accuracy=_accuracy(self.published.accuracy, texts),
            text=self.published.text,
            trial=self.published.trial,
            hashes=[("model.json", self.published.hash), *rendering.script_hashes(SCRIPTS)],
        )
        return HTMLResponse(page)

    @cached_property
    def _compressed(self) -> bytes:
        return gzip.compress(self.published.file)

    async def file(self, request: Request) -> Response:
        """Give the model that the browser predicts with."""
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.published.file, media_type="application/json")
        named = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(self._compressed, headers=named, media_type="application/json")

    async def picture(self, _: Request) -> Response:
        """Draw the tree."""
        drawn = self.published.picture
        if drawn is None:
            raise RefusedError(404, "naive Bayes has no picture.")
        return Response(drawn, media_type="image/svg+xml")

    async def trial_page(self, request: Request) -> Response:
        """Ask for a test of the model; the browser scores it, and sends one bit."""
        trial, taken = self.published.trial, self.taken
        assert trial is not None
        assert taken is not None
        language = self.respondent.language(request)
        texts = trial.survey.texts(language)
        asked, fields = rendering.questions(trial.survey, language, trial.names)
        if trial.personal:
            words = trial.survey.page.personal
            asked = [q | {"text": words[n]} for q, n in zip(asked, trial.names, strict=True)]
        is_open = await run_in_threadpool(taken.store.is_open)
        script = _bit(trial, language, texts) | {"asked": fields, "open": is_open}
        page = rendering.plain_page(
            trial.survey,
            language,
            "test",
            script | {"invitation": taken.store.by_invitation},
            asked=asked,
            personal=trial.personal,
            sentences=_odds(trial, texts),
            odds=None if trial.truth == 1 else trial.truth,
            fingerprint=trial.design.fingerprint,
        )
        return HTMLResponse(page)

    async def api(self, request: Request) -> Response:
        """Say how accurate the model is, and what the test round says of it so far."""
        from confide.web.model.model_test import plain

        await self.admin.access.check(request)
        published, accuracy = self.published, self.published.accuracy
        found = {
            "hash": published.hash,
            "kind": published.model.kind,
            "target": published.model.target_,
            "n": published.model.n_,
            "accuracy": accuracy and plain(accuracy),
            "test": None,
        }
        if published.trial is not None and self.taken is not None:
            is_open = await run_in_threadpool(self.taken.store.is_open)
            said = await self._said(published.trial, self.taken.store)
            found["test"] = {**said, "open": is_open}
        return JSONResponse(found)

    async def _said(self, trial: ModelTest, store: ReportStore) -> dict[str, Any]:
        """What the round says; worked out anew when there are other bits or other reports."""
        from confide.web.model.model_test import share_by_hand

        reports, n = (await self.admin.collected()).counts, await run_in_threadpool(store.count)
        if self._found is None or self._found[0] != n or self._found[1] is not reports:
            survey = trial.survey
            bits = await run_in_threadpool(count_store, trial.collected.questionnaire, store)
            by_hand = await run_in_threadpool(
                share_by_hand, survey.questionnaire, self.admin.store, self.published.model.target_
            )
            found = await run_in_threadpool(trial.found, bits.counts, reports, by_hand)
            self._found = (n, reports, found)
        return self._found[2]

    async def set_open(self, request: Request) -> Response:
        """Close the test round, if that is meant, or open it again."""
        await self.admin.access.check(request)
        assert self.taken is not None
        store, wanted = self.taken.store, request.path_params["state"] == "open"
        if not wanted and (await form_of(request)).get("sure") != "yes":
            return page_of("dashboard-close.html", title=self.published.survey.title, trial=True)
        await self.taken.writer.run(lambda: store.set_open(wanted))
        return RedirectResponse("/admin", 303)

    async def backup(self, request: Request) -> Response:
        """A consistent copy of the round's database."""
        await self.admin.access.check(request)
        assert self.taken is not None
        return await self.admin.file(
            self.taken.store.backup, "test-backup.db", "application/vnd.sqlite3"
        )


def _lead(predictor: dict[str, Any], texts: dict[str, str]) -> str:
    target = predictor["target"]["text"] or predictor["target"]["name"]
    return texts["model_lead"].format(n=written(predictor["n"], texts), target=target)


def _accuracy(accuracy: Estimate | None, texts: dict[str, str]) -> str:
    if accuracy is None:
        return texts["model_unscored"]
    value, low, high = (f"{100 * p:.0f}" for p in (accuracy.value, *accuracy.interval()))
    return texts["model_scored"].format(
        value=value, low=low, high=high, n=written(accuracy.n, texts)
    )


def _odds(trial: ModelTest, texts: dict[str, str]) -> list[str]:
    """What happens to the bit, and what someone could conclude from it."""
    if trial.truth == 1:
        return [texts["trial_plain"], texts["trial_adds"]]
    kept, total = trial.truth.as_integer_ratio()
    told: Any = explained(trial.collected.questionnaire, texts)[0]["sentences"]
    odds = texts["trial_odds"].format(kept=kept, total=total, rest=total - kept)
    return [odds, *told[1:], texts["trial_adds"]]


def _bit(trial: ModelTest, language: str, texts: dict[str, str]) -> dict[str, Any]:
    """The round as its script needs it: a survey of one question, in the page's language."""
    _, fields = rendering.questions(trial.collected, language, trial.design.names)
    shown = [{**field, "text": texts["trial_right"]} for field in fields]
    return {**trial.collected.questionnaire.script(), "fields": shown}
