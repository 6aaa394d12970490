"""What the results say of a published model: how often it is right, and how its test goes."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from confide.files import Json
from confide.web.addresses import find_root
from confide.web.admin.accounts import Role
from confide.web.admin.admin_pages import render_admin_page
from confide.web.admin.result_links import Links
from confide.web.admin.result_views import ResultViews
from confide.web.admin.result_words import ResultWords


def render_published(request: Request, words: ResultWords, found: Json, role: Role) -> Response:
    """Render what is known of the model, as the API gives it."""
    root, views, test = find_root(request), ResultViews(words), found["test"] or {}
    known = [("published_file", found["accuracy"])]
    if test.get("asked") == "personal":
        known.append(("published_personal", test.get("right")))
    known.append(("published_test", test.get("accuracy")))
    rows = [(words.texts[key], {**each, "share": each["value"]}) for key, each in known if each]
    return render_admin_page(
        "results-published.html",
        request,
        words,
        heading=words.texts["published"],
        overview=Links(root).to("/admin"),
        languages=[],
        rows=views.draw_estimates(rows),
        sentences=_describe_round(root, words, test) if test else [],
        round_open=test.get("open"),
        owner=role is Role.OWNER,
    )


def _describe_round(root: str, words: ResultWords, test: Json) -> list[str]:
    personal = test["asked"] == "personal"
    key = "published_round_personal" if personal else "published_round"
    round_at = f"{root}/model/test"
    said = [words.say(key, address=round_at), words.say("published_tests", count=test["n"])]
    if test["n"] < test["minimum"]:
        said.append(words.say("published_few", minimum=test["minimum"]))
    if personal:
        said.append(words.say("published_by_hand", share=words.percent(test["by_hand"])))
    return said
