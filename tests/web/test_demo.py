"""`confide demo`, run as a newcomer would."""

import os
import re
import signal
import subprocess
import sys
import time

import httpx
import numpy as np
import pytest

from confide.cli.example import simulate_students

PROGRAM = [sys.executable, "-c", "from confide.cli import main; main()", "demo"]


@pytest.fixture
def demo(tmp_path):
    """Run the demo, with a browser that only writes down what it was to open."""
    browser, temporary = tmp_path / "browser", tmp_path / "temporary"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o700)
    temporary.mkdir()
    shown = {"BROWSER": str(browser), "DISPLAY": ":0", "TMPDIR": str(temporary)}
    running = []

    def demo(*arguments):
        running.append(
            subprocess.Popen(
                [*PROGRAM, *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **shown},
            )
        )
        return running[-1]

    yield demo
    for each in running:
        each.kill()
        each.wait()
        each.stdout.close()


@pytest.mark.slow
def test_the_demo_serves_the_survey_and_its_estimates_are_near_the_planted_truth(demo, tmp_path):
    process = demo("--seconds", "3")
    survey, results, last = (process.stdout.readline() for _ in range(3))
    assert "simulated people have answered" in last
    address = re.match(r"Survey: +(http://127\.0\.0\.1:\d+)/$", survey)[1]
    link = re.match(r"Results: (\S+) \(works once\)$", results)[1]
    assert (tmp_path / "opened").read_text().strip() == link
    with httpx.Client(base_url=address, timeout=60) as client:  # however slow the machine is
        assert "Have you ever cheated in an exam?" in client.get("/").text
        entered = client.get(link)
        assert entered.headers["location"] == "/admin"
        assert client.get(link).status_code == 200  # asks for a password: it worked once
        client.headers["Cookie"] = entered.headers["set-cookie"].split(";")[0]
        found = client.get("/api/estimates").json()
    assert found["n"] == 500
    truth = simulate_students(500, seed=2)
    for question in found["questions"][:4]:
        answers = np.asarray(truth[question["name"]])
        for row in question["rows"]:
            # 4 standard errors; where nothing is disguised there is nothing to err about
            margin = 4 * row["standard_error"] if question["disguised"] else 1e-9
            assert abs(row["share"] - np.mean(answers == row["answer"])) <= margin
    reported = {row["answer"]: row["reported"] for row in found["questions"][0]["rows"]}
    assert abs(reported["yes"] - np.mean(np.asarray(truth["cheated"]) == "yes")) > 0.05
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait(20) == 0
    assert "database is deleted" in rest
    assert not list((tmp_path / "temporary").iterdir())


@pytest.mark.slow
def test_a_visitor_sees_the_truth_and_drags_the_odds_and_the_number_of_people(demo, page):
    process = demo("--seconds", "0", "--respondents", "100", "--no-browser")
    _, results, _ = (process.stdout.readline() for _ in range(3))
    page.set_default_timeout(60_000)
    page.goto(re.match(r"Results: (\S+)", results)[1])
    page.wait_for_selector(".result .span.true")
    page.click("text=Try the disguise")
    page.wait_for_selector("#tried .span.true")
    before = page.locator("#tried td.number").first.text_content()
    page.focus("#truth")
    page.keyboard.press("End")
    page.wait_for_url("**truth=95**")
    page.wait_for_function(
        "(before) => document.querySelector('#tried td.number').textContent !== before", arg=before
    )
    between = page.locator("#tried td.number").first.text_content()
    page.focus("#people")
    page.keyboard.press("End")
    page.wait_for_url("**people=5000**")
    page.wait_for_function(
        "(before) => document.querySelector('#tried td.number').textContent !== before", arg=between
    )

    def width(text):
        low, high = re.search(r"([\d.]+)–([\d.]+) %", text).groups()
        return float(high) - float(low)

    after = page.locator("#tried td.number").first.text_content()
    assert width(before) > width(between) > width(after)


@pytest.mark.slow
def test_ctrl_c_ends_the_demo_while_people_answer_and_no_browser_opens_unasked(demo, tmp_path):
    process = demo("--seconds", "600", "--no-browser")
    address = process.stdout.readline().split()[1]
    process.stdout.readline()
    for _ in range(100):
        if list((tmp_path / "temporary").rglob("demo.db")) and httpx.get(address).is_success:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert "The demo is over" in process.stdout.read()
    assert process.wait(20) == 0
    assert not (tmp_path / "opened").exists()
    assert not list((tmp_path / "temporary").iterdir())
