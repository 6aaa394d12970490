"""The API against its own description: what that allows, what it forbids, what it never says."""

import json

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode, openapi
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from support.cluster import free_port
from support.fault_harness import DESIGN, FULL, SURVEY, Server, report

import confide as cf
from confide.reports.store import open_store
from confide.reports.submissions import Submission
from confide.reports.wire import read_report
from confide.web.admin.sessions import Sessions
from confide.web.openapi import document

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
TIMES = 20 if FULL else 1


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with some reports, and the session of its administrator."""
    database = f"sqlite:///{tmp_path_factory.mktemp('openapi')}/survey.db"
    with Server(database, free_port()) as server:
        store = open_store(database, DESIGN)
        server.cookie = f"__Host-confide={Sessions(store).begin('password')}"
        server.store = store
        records = [read_report(SURVEY.questionnaire, report()[1]) for _ in range(60)]
        store.settle(
            [
                Submission(bytes.fromhex(r.id), SURVEY.questionnaire.pack(r.codes, r.modes))
                for r in records
            ]
        )
        yield server
        store.close()


def operations():
    described = openapi.from_dict(document(SURVEY))
    return {each.ok().label: each.ok() for each in described.get_all_operations()}


def tried(server, label, mode, cases, seen):
    """Send what the description allows, or what it forbids; ``seen`` looks at each answer."""

    @settings(
        max_examples=TIMES * cases,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operations()[label].as_strategy(generation_mode=mode))
    def conforms(case):
        case.headers = {"Cookie": server.cookie}
        response = case.call(base_url=f"http://127.0.0.1:{server.port}")
        case.validate_response(response, checks=CHECKS)
        seen(response)

    conforms()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "cases", "statuses"),
    [
        ("POST /report", 60, {200, 409}),
        ("POST /invitation", 30, {200}),
        ("POST /ticket", 20, {403}),
        ("POST /receipt", 30, {404}),
        ("POST /receipt/delete", 30, {404}),
        ("GET /design.json", 1, {200}),
        ("GET /api/counts", 1, {200}),
        ("GET /api/estimates", 40, {200}),
    ],
)
def test_what_the_description_allows_is_taken(server, label, cases, statuses):
    before, answers = server.store.count(), []
    tried(server, label, GenerationMode.POSITIVE, cases, answers.append)
    assert {answer.status_code for answer in answers} <= statuses
    taken = [answer for answer in answers if answer.status_code == 200]
    sent = [answer.request.body for answer in taken] if label == "POST /report" else []
    assert bool(sent) == (label == "POST /report")
    reports = {
        read_report(SURVEY.questionnaire, body).id for body in sent
    }  # nothing that the design forbids
    assert server.store.count() - before == len(reports)


@pytest.mark.slow
@pytest.mark.parametrize(
    "label",
    ["POST /report", "POST /invitation", "POST /ticket", "POST /receipt", "POST /receipt/delete"],
)
def test_what_the_description_forbids_is_refused(server, label):
    before, statuses = server.store.count(), set()
    tried(server, label, GenerationMode.NEGATIVE, 80, lambda a: statuses.add(a.status_code))
    assert statuses <= {400, 413, 415}
    assert server.store.count() == before


def test_the_description_allows_exactly_what_the_design_does():
    """Every code of every field, and the first beyond: by the pattern and by the reader alike."""
    import re

    schema = document(SURVEY)["paths"]["/report"]["post"]["requestBody"]["content"]
    codes = schema["application/json"]["schema"]["properties"]["report"]["prefixItems"]
    for position, described in enumerate(codes):
        for code in range(12):
            sent = json.loads(report()[1])
            sent["report"][position] = str(code)
            try:
                read_report(SURVEY.questionnaire, json.dumps(sent).encode())
                allowed = True
            except cf.ReportsError:
                allowed = False
            assert bool(re.search(described["pattern"], str(code))) == allowed
