"""What all fault tests use."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture
def run():
    """Run a coroutine in a thread: a browser of other tests may have a loop in this one."""

    def run(coroutine):
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(asyncio.run, coroutine).result()

    return run
