"""Error pages: they come up even when what broke is the database."""

from django.contrib.auth.models import User
from django.test import RequestFactory

from hindsight_site import errors


def test_the_500_page_asks_nothing_of_a_broken_database(rf: RequestFactory):
    request = rf.get("/")
    # signed in, so that the console's own context would be read; this test has no database to read it from
    request.user, request.session = User(pk=1, username="ada"), {}
    answer = errors.server_error(request)
    assert answer.status_code == 500
    assert b"<html" in answer.content


def test_the_api_answers_500_as_a_problem(rf: RequestFactory):
    answer = errors.server_error(rf.get("/api/v1/events"))
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")


def test_an_unknown_page_is_a_page(client, db):
    answer = client.get("/nothing-here/")
    assert answer.status_code == 404
    assert b"<html" in answer.content
