"""What is wrong with the index, in words for an operator: for health probes, the dashboard and a worker's start."""

from memory import embedding
from memory.index import follower, serving
from memory.index.base import FollowerAway
from memory.models import IndexEntry


def stored_vectors() -> str:
    """Empty, or that the database holds vectors of another embedder than the one that the settings name."""
    configured, embedder = embedding.get_embedder(), serving.get_embedder()
    if embedder is None:
        return serving.problem() if configured is not None else ""
    if configured is not None and configured.model_id != embedder.model_id:
        return (
            f"searches are answered by the vectors of {embedder.size} numbers by {embedder.model_id}; to move to "
            f"those of {configured.size} by {configured.model_id}, which the settings name, run: manage.py reindex"
        )
    with_model = IndexEntry.objects.filter(model_id__gt="")
    # at most one step into the index from either end, however many entries there are
    for entry in (with_model.order_by("model_id").first(), with_model.order_by("-model_id").first()):
        if entry is not None and entry.model_id != embedder.model_id:
            size = len(entry.vector or b"") // 4
            return (
                f"some memories have vectors of {size} numbers by {entry.model_id}, this embedder makes "
                f"{embedder.size} ({embedder.model_id}); they are found by words only until you run: manage.py reindex"
            )
    return ""


def vector_db() -> str:
    """Empty, or why recall does not use the vector database that is set up. Asks it, for 2 seconds at most."""
    if follower.get_follower() is None:
        return ""
    try:
        if not follower.ask(lambda there: there.check()):
            return "empty: the worker fills it"
    except FollowerAway as error:
        return str(error)
    return ""
