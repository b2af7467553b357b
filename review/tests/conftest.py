"""Signed-in people for the pages."""

import pytest
from django.test import Client


@pytest.fixture
def desk(people):
    """desk("ada") is a browser in which Ada is signed in."""

    def desk_(name: str) -> Client:
        client = Client()
        client.force_login(people[name])
        return client

    return desk_
