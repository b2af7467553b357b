"""Which embedder's vectors answer searches now: not always the one that the settings name.

Vectors of two models are never compared. After a change of the settings the old model's vectors go on answering, if
its embedder is still to be had, until `manage.py reindex` has made all of the new one's; then all is switched at once.
"""

import time
from collections.abc import Sequence

from django.conf import settings

from memory import embedding
from memory.embedding import Embedder, EmbedderUnavailable
from memory.models import IndexEntry, ServedEmbedder

# Seconds after which a process has noticed a switch. Until then it reads and writes as before, which does no harm:
# the old vectors are kept longer, and what is written late is found and embedded again.
NOTICED_WITHIN = 1.0


def get_embedder() -> Embedder | None:
    """The embedder that fits the stored vectors, None when this process has none; see `problem`."""
    # on a machine without any embedder the bundled one is not tried again through the back door
    if not settings.EMBED_API_BASE and embedding.get_embedder() is None:
        return None
    model_id = served_model()
    if not model_id:
        return embedding.get_embedder()
    fitting = embedding.known(model_id)
    if fitting is not None:
        return fitting
    configured = embedding.get_embedder()
    return configured if configured is not None and configured.model_id == model_id else None


def served_model() -> str:
    """The model id of the vectors that answer searches; empty while none are stored."""
    global _served
    if _served is None or time.monotonic() - _served[1] > NOTICED_WITHIN:
        model_id = _read()
        # while there is none the very next write may bring it
        _served = (model_id, time.monotonic()) if model_id else None
        return model_id
    return _served[0]


def query_vector(embedder: Embedder | None, text: str):
    """The vector (size,) to look for the text by; None without an embedder, or while it is away."""
    try:
        return embedder.embed_query(text) if embedder else None
    except EmbedderUnavailable:
        return None


def text_vector(embedder: Embedder | None, text: str):
    """The vector (size,) of a text that is or may be remembered; None as for `query_vector`."""
    return text_vectors(embedder, [text])[0]


def text_vectors(embedder: Embedder | None, texts: Sequence[str]) -> list:
    """One vector (size,) for each text, or None for all of them, as for `query_vector`."""
    try:
        return list(embedder.embed(texts)) if embedder else [None] * len(texts)
    except EmbedderUnavailable:
        return [None] * len(texts)


def problem() -> str:
    """Empty, or why searches are answered by words alone, in words for an operator."""
    embedder = get_embedder()
    if embedder is not None:
        return embedder.trouble
    configured = embedding.get_embedder()
    if configured is None:
        return embedding.unavailable_reason()
    return (
        f"the stored vectors are by {served_model()}, which is not set up here; the settings name "
        f"{configured.model_id}. Run: manage.py reindex"
    )


def switch_to(embedder: Embedder, *, now) -> None:
    """From now on this embedder's vectors answer, in every process within NOTICED_WITHIN seconds."""
    fields = {"model_id": embedder.model_id, "size": embedder.size, "since": now}
    ServedEmbedder.objects.update_or_create(pk=1, defaults=fields)
    forget()


def forget() -> None:
    """Forgets what this process read."""
    global _served
    _served = None


def _read() -> str:
    row = ServedEmbedder.objects.filter(pk=1).first()
    if row is not None:
        return row.model_id
    with_model = IndexEntry.objects.filter(model_id__gt="").values_list("model_id", flat=True)
    # at most one step into the index from either end, however many entries there are
    lowest = with_model.order_by("model_id").first()
    if lowest is None:
        return ""
    stored = {lowest, with_model.order_by("-model_id").first()}
    # of a mixed lot those that can be used, and of these the configured one's
    usable = [model_id for model_id in sorted(stored) if embedding.known(model_id) is not None]
    configured = embedding.get_embedder() if len(stored) > 1 else None
    if configured is not None and configured.model_id in stored:
        return configured.model_id
    return next(iter(usable or sorted(stored)), "")


_served: tuple[str, float] | None = None
