"""Signed-in people for the pages, as a client of Django's and in a real browser."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident

import pytest
from django.core.signals import request_finished, request_started
from django.test import Client
from playwright.sync_api import sync_playwright

from conftest import CHROMIUM

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture
def desk(people):
    """desk("ada") is a browser in which Ada is signed in."""

    def desk_(name: str) -> Client:
        client = Client()
        client.force_login(people[name])
        return client

    return desk_


@pytest.fixture(scope="module")
def chromium():
    # Playwright runs an event loop in this thread, which Django takes for a mistake.
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
    os.environ.pop("DJANGO_ALLOW_ASYNC_UNSAFE")
    if before is not None:
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before


@contextmanager
def answering() -> Iterator[set[int]]:
    """The threads of this process that answer a request at the moment."""
    threads = set()

    def begin(**_):
        threads.add(get_ident())

    def end(**_):
        threads.discard(get_ident())

    request_started.connect(begin)
    request_finished.connect(end)
    try:
        yield threads
    finally:
        request_started.disconnect(begin)
        request_finished.disconnect(end)


def wait_until_quiet(unanswered: set[int], *, quiet: float = 0.2, longest: float = 10) -> None:
    """A page that is closed says so to the server, and nobody waits for the answer: until it is given, the tables
    must stay."""
    until = time.monotonic() + longest
    heard = time.monotonic()
    while time.monotonic() < min(heard + quiet, until):
        time.sleep(0.02)
        if unanswered:
            heard = time.monotonic()


@pytest.fixture
def visit(chromium, live_server, people):
    """visit("ada", …) is a page on which Ada has signed in; in the end nothing may have complained or gone astray."""
    contexts, complaints, foreign = [], [], []

    def watch(page):
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: foreign.append(request.url) if live_server.url not in request.url else None)

    def visit_(name, **options):
        context = chromium.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        page = context.new_page()
        watch(page)
        page.goto("/login/")
        page.fill("#id_username", name)
        page.fill("#id_password", "correct horse battery")
        page.press("#id_password", "Enter")
        page.wait_for_url(live_server.url + "/")
        return page

    with answering() as unanswered:
        yield visit_
        for context in contexts:
            context.close()
        wait_until_quiet(unanswered)
    # the browser itself reports answers such as 409; what counts is what our pages did
    assert [text for text in complaints if "Failed to load resource" not in text] == []
    assert foreign == []
