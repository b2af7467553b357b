"""GET /api/v1/schema and /docs: complete, valid, served from this host."""

import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import get_resolver

pytestmark = pytest.mark.django_db


def test_the_schema_is_valid_and_raises_no_warning():
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=StringIO())


def test_the_schema_names_every_url(client):
    paths = set(client.get("/api/v1/schema").json()["paths"])
    routes = {
        "/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(entry.pattern))
        for entry in get_resolver("memory.api.urls").url_patterns
    }
    assert routes - paths == {"/api/v1/schema", "/api/v1/docs"}
    assert paths <= routes


def test_the_schema_tells_how_keys_are_sent_and_what_errors_are(client):
    schema = client.get("/api/v1/schema").json()
    assert {scheme["type"] for scheme in schema["components"]["securitySchemes"].values()} == {"http", "apiKey"}
    answers = schema["paths"]["/api/v1/events"]["post"]["responses"]
    assert {"202", "400", "401", "403", "409", "422"} <= set(answers)
    assert list(answers["400"]["content"]) == ["application/problem+json"]


def test_the_schema_and_its_page_need_no_key(client):
    assert client.get("/api/v1/schema")["Content-Type"].startswith("application/vnd.oai.openapi+json")
    assert client.get("/api/v1/docs").status_code == 200


def test_the_docs_page_has_no_inline_script_and_no_foreign_address(client):
    page = client.get("/api/v1/docs").content.decode()
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 3
    assert all("src=" in attributes and not body.strip() for attributes, body in scripts)
    assert not re.findall(r"""(?:src|href)=["'](?:https?:)?//""", page)


def test_the_docs_script_is_served_as_javascript(client):
    answer = client.get("/api/v1/docs?script=")
    assert answer["Content-Type"].startswith("application/javascript")
    assert "/api/v1/schema" in answer.content.decode()


@pytest.mark.chromium
@pytest.mark.django_db(transaction=True)
def test_the_docs_page_works_in_a_browser_and_its_policy_stops_nothing(live_server):
    from playwright.sync_api import sync_playwright

    complaints = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request", lambda request: complaints.append(request.url) if outside(request.url, live_server) else None
        )
        page.goto(f"{live_server.url}/api/v1/docs")
        page.get_by_text("/api/v1/memories/search").click()
        page.get_by_role("button", name="Authorize").first.wait_for()
        operations = page.locator(".opblock").count()
        browser.close()
    assert complaints == []
    assert operations == 19


def outside(url: str, live_server) -> bool:
    return not url.startswith((live_server.url, "data:"))
