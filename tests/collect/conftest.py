"""A real browser and real database servers for the tests of the web app."""

from __future__ import annotations

import pytest
from machine import program


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium, headless."""
    from playwright.sync_api import sync_playwright

    path = program("chromium", "chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()
