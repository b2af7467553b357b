"""What every answer carries and what no request may exceed."""

from uuid import UUID

import pytest

pytestmark = pytest.mark.django_db


def test_pages_forbid_inline_code_and_other_hosts(client):
    policy = client.get("/login/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "unsafe-inline" not in policy
    assert "frame-ancestors 'none'" in policy


def test_pages_stay_out_of_caches(client):
    assert (
        client.get("/login/")["Cache-Control"].startswith("no-store")
        or "no-store" in client.get("/login/")["Cache-Control"]
    )


def test_every_answer_names_its_request_by_an_id_of_our_own(client):
    first = client.get("/health/live", headers={"X-Request-ID": "chosen by the caller"})["X-Request-ID"]
    assert str(UUID(first)) == first
    assert client.get("/health/live")["X-Request-ID"] != first


def test_ten_megabytes_are_refused_before_they_are_read(client):
    answer = client.post("/api/v1/events", data=b"x" * 10_000_000, content_type="application/json")
    assert (answer.status_code, answer["Content-Type"]) == (413, "application/problem+json")
    assert "2000000" in answer.json()["detail"]


def test_a_content_length_that_is_no_number_is_refused(client):
    assert client.get("/health/live", CONTENT_LENGTH="lots").status_code == 400


def test_an_expired_session_reloads_the_page_instead_of_filling_a_fragment(client):
    answer = client.get("/review/", headers={"HX-Request": "true"})
    assert answer.status_code == 204
    assert answer["HX-Redirect"].startswith("/login/")


def test_an_unknown_api_path_answers_as_a_problem(client):
    answer = client.get("/api/v1/nothing-here")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_a_nul_in_a_form_or_an_address_is_refused(client):
    assert client.post("/login/", {"username": "a\0b", "password": "x"}).status_code == 400
    assert client.get("/login/?next=%00").status_code == 400
