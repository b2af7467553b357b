"""Which recorded texts reach no agent: those that brought a claim which waits for a person or was turned away."""

from collections.abc import Collection

from memory.models import Conflict, Evidence

# Only these let the incoming words in as they were said.
_ADMITTED = (Conflict.Choice.ACCEPT, Conflict.Choice.KEEP_BOTH)


def withheld(*, workspace_id: int, user_id: int, episode_ids: Collection[int]) -> set[int]:
    """The ids, among these episodes of one user, whose text must be left out of an answer."""
    brought = Evidence.objects.filter(
        workspace_id=workspace_id, conflict__user_id=user_id, episode_id__in=episode_ids, against=False
    )
    return set(brought.exclude(conflict__choice__in=_ADMITTED).values_list("episode_id", flat=True))
