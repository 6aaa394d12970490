"""The API described for programs: OpenAPI 3.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confide import __version__
from confide.files import Json
from confide.reports.wire import TICKET
from confide.surveys.questionnaire import BROWSER, OWN
from confide.surveys.survey import Survey

if TYPE_CHECKING:
    from confide.web.model.published import Published

_HEX = "^[0-9a-f]{32}$"


def document(survey: Survey, published: Published | None = None, root: str = "") -> Json:
    """Describe collecting, counting and estimating for one survey, and its published model."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{survey.title} · confide",
            "version": __version__,
            "description": f"Reports under the design {survey.design.fingerprint}.",
        },
        "servers": [{"url": f"{root}/"}],
        "paths": {
            "/report": {"post": _describe_report(survey)},
            "/invitation": {"post": _describe_invitation()},
            "/ticket": {"post": _describe_ticket()},
            "/receipt": {
                "post": _describe_receipt(
                    "Show a report to who holds its receipt.", _describe_shown_report()
                )
            },
            "/receipt/delete": {
                "post": _describe_receipt(
                    "Delete a report for who holds its receipt.", {"type": "object"}
                )
            },
            "/design.json": {"get": _describe_get("The design, in its canonical form.", False)},
            "/api/counts": {
                "get": _describe_get(
                    "The distinct reports and how often each came.", True, owner=True
                )
            },
            "/api/estimates": {"get": _describe_estimates(survey)},
            **(_describe_model(published) if published else {}),
        },
        "components": {
            "securitySchemes": {"password": {"type": "http", "scheme": "basic"}},
            "schemas": {
                "Error": {
                    "type": "object",
                    "required": ["error"],
                    "properties": {"error": {"type": "string"}},
                }
            },
        },
    }


def _describe_model(published: Published) -> Json:
    paths: Json = {
        "/model.json": {
            "get": _describe_get("The published model, for browsers to predict with.", False)
        },
        "/api/model": {
            "get": _describe_get("The model's accuracy, and what its test round says.", True)
        },
    }
    if published.model_test is not None:
        bit = "Send whether the model was right, as a report of the test round's own design."
        paths["/model/test"] = {
            "post": _describe_report(published.model_test.survey_of_bits) | {"summary": bit}
        }
        paths["/model/test/invitation"] = {"post": _describe_invitation()}
        paths["/model/test/ticket"] = {"post": _describe_ticket()}
    return paths


def _describe_report(survey: Survey) -> Json:
    """Describe the request that sends a report, with the codes and modes that fit the design."""
    codes = [
        {"type": "string", "pattern": f"^({_match_up_to(field.size - 1)})$", "title": field.name}
        for field in survey.questionnaire.fields
    ]
    by_hand = {
        p for b in survey.questionnaire.by_hand for p in survey.questionnaire.blocks[b].positions
    }
    modes = "".join(
        f"[{BROWSER}{OWN}]" if position in by_hand else letter
        for position, letter in enumerate(survey.questionnaire.modes())
    )
    properties: Json = {
        "design": {"const": survey.design.fingerprint},
        "id": {"type": "string", "pattern": _HEX, "description": "Names the report for good."},
        "ticket": {
            "type": "string",
            "pattern": f"^([0-9a-f]{{{2 * TICKET}}}|)$",
            "description": "32 random bytes, and the signature of these and the id (RFC 9474).",
        },
        "mode": {"type": "string", "pattern": f"^{modes}$"},
        "report": {
            "type": "array",
            "prefixItems": codes,
            "minItems": len(codes),
            "maxItems": len(codes),
        },
    }
    refused = {
        "400": "It does not fit the design.",
        "403": "The survey is closed, or the ticket is not good for this id.",
        "408": "It took too long.",
        "409": "Another report has this id.",
        "410": "This report was deleted.",
        "413": "It is too large.",
        "415": "It is not JSON.",
        "429": "Too many reports from this address.",
        "503": "It could not be stored now; try again.",
    }
    return {
        "summary": "Send a disguised report. The answer comes only when it is durable.",
        "requestBody": _describe_body(properties),
        "responses": {
            "200": _describe_answer("Stored.", {"type": "object"}),
            **{status: _describe_answer(why, _ERROR) for status, why in refused.items()},
        },
    }


def _match_up_to(largest: int) -> str:
    """Write a pattern for the numbers up to the largest, written with as many digits as that has.

    >>> _match_up_to(64)
    '64|[0-5][0-9]|6[0-3]'
    """
    top = str(largest)
    lower = [
        f"{top[:place]}[0-{int(digit) - 1}]" + "[0-9]" * (len(top) - place - 1)
        for place, digit in enumerate(top)
        if digit != "0"
    ]
    return "|".join([top, *lower])


_ERROR = {"$ref": "#/components/schemas/Error"}


def _describe_body(properties: Json) -> Json:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _describe_answer(why: str, schema: Json) -> Json:
    return {"description": why, "content": {"application/json": {"schema": schema}}}


def _describe_shown_report() -> Json:
    return {
        "type": "object",
        "required": ["report", "words"],
        "properties": {
            "report": {"type": "array", "items": {"type": "integer"}},
            "words": {"type": "object"},
        },
    }


def _describe_receipt(summary: str, schema: Json) -> Json:
    refused = {"403": "It came from another site.", "404": "There is no such report."}
    return _describe_code_request("receipt", summary, _describe_answer("Done.", schema), refused)


def _describe_invitation() -> Json:
    summary = "Ask whether an invitation is still good. It uses nothing up and is not kept."
    good = _describe_answer("It is good, or none is needed.", {"type": "object"})
    refused = {"403": "The invitation is unknown or was used, or it came from another site."}
    return _describe_code_request("token", summary, good, refused)


def _describe_ticket() -> Json:
    summary = (
        "Redeem an invitation for a blind signature, RSABSSA-SHA384-PSS-Randomized of RFC 9474. "
        "Asked again for the same blinded message it gives the same signature."
    )
    number = {"type": "string", "pattern": "^[0-9a-f]{512}$"}
    signed = {"type": "object", "required": ["signature"], "properties": {"signature": number}}
    refused = {"403": "The invitation is unknown or was redeemed, or the survey is closed."}
    body = {"token": {"type": "string", "pattern": _HEX}, "blinded": number}
    return _describe_request(body, summary, _describe_answer("Signed.", signed), refused)


def _describe_code_request(key: str, summary: str, good: Json, refused: dict[str, str]) -> Json:
    """Describe a request that holds 32 hexadecimal digits and nothing else."""
    return _describe_request({key: {"type": "string", "pattern": _HEX}}, summary, good, refused)


def _describe_request(properties: Json, summary: str, good: Json, refused: dict[str, str]) -> Json:
    refused = refused | {
        "400": f"It has another form, or is no {next(iter(properties))}.",
        "408": "It took too long.",
        "410": "The report is damaged.",
        "413": "It is too large.",
        "415": "It is not JSON.",
        "429": "Too many requests from this address.",
        "503": "Try again.",
    }
    answers = {status: _describe_answer(why, _ERROR) for status, why in sorted(refused.items())}
    return {
        "summary": summary,
        "requestBody": _describe_body(properties),
        "responses": {"200": good, **answers},
    }


def _describe_get(summary: str, inside: bool, owner: bool = False) -> Json:
    answers: Json = {"200": _describe_answer("Done.", {"type": "object"})}
    if inside:
        answers |= {
            "400": _describe_answer("The question cannot be answered.", _ERROR),
            "401": _describe_answer("The password is missing or wrong.", _ERROR),
            "503": _describe_answer("Try again.", _ERROR),
        }
    if owner:
        answers["403"] = _describe_answer("Only an owner may see it.", _ERROR)
    described: Json = {"summary": summary, "responses": answers}
    return described | ({"security": [{"password": []}]} if inside else {})


def _describe_estimates(survey: Survey) -> Json:
    name = {
        "name": "question",
        "in": "query",
        "description": "Cross these questions; left out, every question alone.",
        "schema": {
            "type": "array",
            "items": {"enum": list(survey.design.names)},
            "uniqueItems": True,
        },
    }
    return _describe_get("Estimates with standard errors and 95 % intervals.", True) | {
        "parameters": [name]
    }
