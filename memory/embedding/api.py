"""An embedder behind an OpenAI-compatible `/v1/embeddings`: Ollama, vLLM, llama.cpp, a provider."""

import hashlib
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from memory.embedding.base import EmbedderUnavailable, TextRefused, VectorCache, mean_texts, speakable
from memory.index.breaker import Breaker, Resting
from memory.model_server import Line, Refused, Reply, Unavailable, converse

# Texts of one request. More save little, and a server on a CPU would work longer than anybody waits.
BATCH = 32
# Longer texts are embedded by their beginning; what the server still finds too long is cut in halves down to SHORTEST.
MAX_CHARACTERS = 8000
SHORTEST = 250
CACHE_SIZE = 4096  # 16 kB each for a large model
# 32 vectors of 4,096 numbers of 25 characters take 3 MB.
LARGEST = 20_000_000
# Somebody waits behind a single text: an agent for its answer, or writers for a row that is locked.
ONE_TEXT_SECONDS = 2.0
ATTEMPTS = 5
FIRST_WAIT = 0.1  # seconds, doubled each time, where the server asks for no other
# Of a patient embedder: a command that nobody waits for sits out a server's restart.
PATIENT_SECONDS = 300.0
PROBE = "warm-up"
# Part of the stored name; raised when mean_texts change, because old and new vectors must not be compared.
CENTRED = "centred-1"


class ApiEmbedder:
    """Unit vectors by `model` of the server at `base`, less what all its vectors have in common; the size is learnt
    from its first answer.

    Texts go in batches, each text once; the last ones are remembered. A server that is slow, busy (429) or broken is
    asked again while there is time, no sooner than its Retry-After says, and after that left alone for a while.
    Safe to share between threads and, holding no connection, across forks.
    """

    def __init__(
        self, base: str, model: str, key: str = "", *, query_prefix: str = "", text_prefix: str = "",
        seconds: float = 10.0, patient: bool = False,
    ) -> None:  # fmt: skip
        """`seconds` bound one request of many texts. `patient`: for commands, waits minutes for a busy server."""
        self._made_of = (base, model, key, query_prefix, text_prefix, seconds)
        self._url, self._model, self._key = f"{base}/embeddings", model, key
        self._query_prefix, self._text_prefix = query_prefix, text_prefix
        self._seconds, self._patient = seconds, patient
        self._size = 0
        self._cache = VectorCache(CACHE_SIZE)
        self._breaker = Breaker(Unavailable, first=1.0, longest=60.0)
        # other prefixes make other vectors
        prefixes = f"{query_prefix}\0{text_prefix}".encode() if query_prefix or text_prefix else b""
        told = f"-{hashlib.blake2b(prefixes, digest_size=3).hexdigest()}" if prefixes else ""
        self.name = f"api:{_shortened(model)}/{CENTRED}{told}"
        self._means: dict[str, np.ndarray] = {}
        self.trouble = ""  # why the last request failed; empty after one that worked

    @property
    def size(self) -> int:
        """Raises EmbedderUnavailable while the server has never answered."""
        if not self._size:
            self._batch([PROBE], time.monotonic() + ONE_TEXT_SECONDS)
        return self._size

    @property
    def model_id(self) -> str:
        """Raises EmbedderUnavailable while the server has never answered."""
        return f"{self.name}/{self.size}"

    def made(self, model_id: str) -> bool:
        """Whether this model made the vectors stored under `model_id`; their size is then expected from now on."""
        name, _, size = model_id.rpartition("/")
        if name != self.name or not size.isdigit():
            return False
        if self._size != int(size):
            self._size = int(size)
            self._cache.clear()
            self._means.clear()
        return True

    def patiently(self) -> "ApiEmbedder":
        """The same for a command that nobody waits for. It learns the size anew."""
        base, model, key, query_prefix, text_prefix, seconds = self._made_of
        return ApiEmbedder(
            base, model, key, query_prefix=query_prefix, text_prefix=text_prefix, seconds=seconds, patient=True
        )

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return self._vectors(texts, self._text_prefix)

    def embed_query(self, text: str) -> np.ndarray:
        return self._vectors([text], self._query_prefix)[0]

    def _vectors(self, texts: Sequence[str], prefix: str) -> np.ndarray:
        texts = [prefix + text for text in texts]
        found = {text: self._cache.get(text) for text in texts}
        missing = [text for text, vector in found.items() if vector is None]
        seconds = ONE_TEXT_SECONDS if len(missing) == 1 else self._seconds
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            mean = self._mean(prefix)
            until = time.monotonic() + (PATIENT_SECONDS if self._patient else seconds)
            for text, vector in zip(batch, _unit(self._batch(batch, until) - mean), strict=True):
                self._cache.put(text, vector)
                found[text] = vector
        return np.array([found[text] for text in texts], dtype=np.float32).reshape(len(texts), self.size)

    def _mean(self, prefix: str) -> np.ndarray:
        """What vectors of this prefix have in common: (size,). Asked for once in a process, about a second's work."""
        if prefix not in self._means:
            until = time.monotonic() + (PATIENT_SECONDS if self._patient else self._seconds)
            texts = [prefix + text for text in mean_texts()]
            parts = [self._batch(texts[start : start + BATCH], until) for start in range(0, len(texts), BATCH)]
            self._means[prefix] = np.concatenate(parts).mean(axis=0) if parts else np.zeros(1, np.float32)
        return self._means[prefix]

    def _batch(self, texts: Sequence[str], until: float, longest: int = MAX_CHARACTERS) -> np.ndarray:
        """What the server refuses is asked in halves: of the batch, then of the one text."""
        try:
            return self._asked([speakable(text, longest).strip() or "." for text in texts], until)
        except Refused as error:
            if len(texts) > 1:
                middle = len(texts) // 2
                halves = (self._batch(part, until) for part in (texts[:middle], texts[middle:]))
                return np.concatenate(list(halves))
            if len(texts[0]) <= SHORTEST or longest <= SHORTEST:
                raise TextRefused(f"The embedder refuses a text: {error}") from error
            return self._batch(texts, until, min(longest, len(texts[0])) // 2)

    def _asked(self, texts: list[str], until: float) -> np.ndarray:
        try:
            if self._patient:
                return self._retried(texts, until)
            return self._breaker.call(lambda: self._retried(texts, until))
        except (Resting, Unavailable) as error:
            raise EmbedderUnavailable(str(error)) from error

    def _retried(self, texts: list[str], until: float) -> np.ndarray:
        attempt = 0
        while True:
            attempt += 1
            try:
                vectors = self._request(texts, until)
                self.trouble = ""
                return vectors
            except Unavailable as error:
                self.trouble = str(error)
                wait = max(error.pause, FIRST_WAIT * 2**attempt)
                if attempt == ATTEMPTS or not _may_pass(error) or time.monotonic() + wait >= until:
                    raise
                time.sleep(wait)

    def _request(self, texts: list[str], until: float) -> np.ndarray:
        async def conversation(line: Line) -> Reply:
            return await line.post(self._url, {"model": self._model, "input": texts})

        left = max(until - time.monotonic(), 0.01)
        reply = converse(conversation, key=self._key, seconds=min(left, self._seconds), largest=LARGEST)
        if reply.status in (400, 422):
            raise Refused(f"HTTP {reply.status}.")
        vectors = _read(reply.json(), len(texts))
        if self._size and vectors.shape[1] != self._size:
            raise Unavailable(
                f"{self._model} answers with vectors of {vectors.shape[1]} numbers, those stored have {self._size}. "
                "Run: manage.py reindex"
            )
        self._size = vectors.shape[1]
        return vectors


def _may_pass(error: Unavailable) -> bool:
    """Whether asking again may help: not where the key, the model or the address is wrong."""
    return error.status in (0, 408, 425, 429) or error.status >= 500


def _read(answer: Any, count: int) -> np.ndarray:
    """(count, size) float32 unit rows, in the order of the texts, which `index` tells. Raises Unavailable."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or len(data) != count or not all(isinstance(entry, dict) for entry in data):
        raise Unavailable(f"The server did not answer with {count} embeddings.")
    places = [entry.get("index", place) for place, entry in enumerate(data)]
    if any(type(place) is not int for place in places) or sorted(places) != list(range(count)):
        raise Unavailable("The server's embeddings do not say which text each is of.")
    try:
        rows = np.array([entry.get("embedding") for entry in data], dtype=np.float64)
    except (ValueError, TypeError, OverflowError) as error:
        raise Unavailable("The server's embeddings are not lists of numbers of one length.") from error
    if rows.ndim != 2 or not rows.shape[1]:
        raise Unavailable("The server's embeddings are not lists of numbers of one length.")
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not norms.all():
        raise Unavailable("The server's embeddings hold something that is no number, or only zeros.")
    ordered = np.empty(rows.shape, dtype=np.float32)
    ordered[places] = rows / norms
    return ordered


def _unit(rows: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(norms, 1e-9)).astype(np.float32)


def _shortened(model: str) -> str:
    """At most 80 characters, so that what is stored beside each vector fits; still one for each model."""
    if len(model) <= 80:
        return model
    return f"{model[:60]}~{hashlib.blake2b(model.encode(), digest_size=6).hexdigest()}"
