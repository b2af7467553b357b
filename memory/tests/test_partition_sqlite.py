"""Partitions are PostgreSQL's: elsewhere the command says so, and the worker has nothing to make."""

import pytest
from django.core.management import CommandError, call_command

from memory import tasks


@pytest.mark.sqlite
def test_another_database_is_told_that_it_has_no_partitions(db):
    with pytest.raises(CommandError, match="Only PostgreSQL has partitions"):
        call_command("partition_episodes")
    assert tasks.make_partitions() == []
