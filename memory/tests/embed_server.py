"""An OpenAI-compatible `/v1/embeddings` for tests: it answers properly, or as told, in every way a server can fail."""

import zlib

from memory.tests.llm_server import LlmServer, Way, respond


class EmbedServer(LlmServer):
    """A text's vector counts its words, each in one of `size` places; what shares words is near.

    `ways` and `always` are those of LlmServer. `most` is how many texts it takes in one request (413 for more), and
    `longest` how many characters of one text (400 for more).
    """

    def __init__(self, size: int = 64) -> None:
        super().__init__()
        self.size, self.most, self.longest = size, 10_000, 1_000_000

    def usual(self, handler) -> None:
        texts = handler.body["input"]
        if len(texts) > self.most:
            return respond(handler, 413, b"too large")
        if max(map(len, texts)) > self.longest:
            return respond(handler, 400, {"error": {"message": "input is too long"}})
        return respond(handler, 200, embeddings([self.vector(text) for text in texts]))

    def vector(self, text: str) -> list[float]:
        numbers = [0.001] * self.size
        for word in text.lower().replace("?", " ").split():
            numbers[zlib.crc32(word.encode()) % self.size] += 1
        return numbers

    def sent(self) -> list[str]:
        """Every text of every request, in order."""
        return [text for body in self.asked for text in body["input"]]


def embeddings(vectors: list, **fields) -> dict:
    data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return {"object": "list", "data": data, "model": "tiny", "usage": {"prompt_tokens": 3}} | fields


def tell(*vectors) -> Way:
    """These embeddings, whatever was asked."""
    return lambda handler: respond(handler, 200, embeddings(list(vectors)))
