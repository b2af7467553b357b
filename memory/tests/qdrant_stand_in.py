"""A Qdrant for tests: the client's own engine behind Qdrant's HTTP interface, and a line that can be cut.

It shows that what the product sends is well-formed and what it does when the server goes; not how the server works.
"""

import json
import re
import socket
import threading
import warnings
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from qdrant_client import QdrantClient, models


def _create(engine: QdrantClient, name: str, body: bytes):
    asked = models.CreateCollection.model_validate_json(body)
    fields = {"vectors_config": asked.vectors, "sparse_vectors_config": asked.sparse_vectors}
    return engine.create_collection(name, metadata=asked.metadata, **fields)


def _index(engine: QdrantClient, name: str, body: bytes):
    asked = models.CreateFieldIndex.model_validate_json(body)
    return engine.create_payload_index(name, asked.field_name, asked.field_schema)


def _aliases(engine: QdrantClient, body: bytes):
    return engine.update_collection_aliases(models.ChangeAliasesOperation.model_validate_json(body).actions)


def _batch(engine: QdrantClient, name: str, body: bytes):
    return engine.batch_update_points(name, models.UpdateOperations.model_validate_json(body).operations)


def _query(engine: QdrantClient, name: str, body: bytes):
    asked = models.QueryRequest.model_validate_json(body)
    return engine.query_points(
        name, query=asked.query, prefetch=asked.prefetch, query_filter=asked.filter, limit=asked.limit,
        with_payload=bool(asked.with_payload),
    )  # fmt: skip


def _scroll(engine: QdrantClient, name: str, body: bytes):
    asked = models.ScrollRequest.model_validate_json(body)
    records, page = engine.scroll(
        name, offset=asked.offset, limit=asked.limit, with_payload=asked.with_payload, with_vectors=asked.with_vector
    )
    return models.ScrollResult(points=records, next_page_offset=page)


def _retrieve(engine: QdrantClient, name: str, body: bytes):
    asked = models.PointRequest.model_validate_json(body)
    return engine.retrieve(name, asked.ids, with_payload=asked.with_payload, with_vectors=asked.with_vector)


def _count(engine: QdrantClient, name: str, body: bytes):
    models.CountRequest.model_validate_json(body)
    return engine.count(name)


ROUTES = [
    ("GET", r"/aliases", lambda engine, body: engine.get_aliases()),
    ("POST", r"/collections/aliases", _aliases),
    ("GET", r"/collections", lambda engine, body: engine.get_collections()),
    ("GET", r"/collections/([^/]+)", lambda engine, name, body: engine.get_collection(name)),
    ("PUT", r"/collections/([^/]+)", _create),
    ("DELETE", r"/collections/([^/]+)", lambda engine, name, body: engine.delete_collection(name)),
    ("PUT", r"/collections/([^/]+)/index", _index),
    ("POST", r"/collections/([^/]+)/points/batch", _batch),
    ("POST", r"/collections/([^/]+)/points/query", _query),
    ("POST", r"/collections/([^/]+)/points/scroll", _scroll),
    ("POST", r"/collections/([^/]+)/points/count", _count),
    ("POST", r"/collections/([^/]+)/points", _retrieve),
]


class StandIn:
    """Serves an empty Qdrant at `url` until `close`."""

    def __init__(self) -> None:
        engine, lock = QdrantClient(":memory:"), threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # or each answer waits 40 ms for an acknowledgement

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with lock, warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    status, said = _answer(engine, self.command, self.path.partition("?")[0], body)
                raw = json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *args) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _answer(engine: QdrantClient, method: str, path: str, body: bytes) -> tuple[int, dict]:
    if path == "/":
        return 200, engine.info().model_dump()
    for verb, pattern, act in ROUTES:
        if verb == method and (match := re.fullmatch(pattern, path)):
            try:
                result = act(engine, *match.groups(), body)
            except ValueError as error:
                return 404 if "not found" in str(error) else 400, {"status": {"error": str(error)}, "time": 0}
            return 200, {"result": _plain(result), "status": "ok", "time": 0}
    return 404, {"status": {"error": f"{method} {path} is not in the stand-in"}, "time": 0}


def _plain(result):
    if isinstance(result, list):
        return [_plain(item) for item in result]
    return result.model_dump(mode="json") if hasattr(result, "model_dump") else result


class Line:
    """A TCP line to host:port that can be cut and mended, so that a server goes away without being touched."""

    def __init__(self, host: str, port: int) -> None:
        self._target, self._open = (host, port), set()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._whole = True
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._whole = False
        for end in list(self._open):
            _hang_up(end)

    def mend(self) -> None:
        self._whole = True

    def close(self) -> None:
        self.cut()
        _hang_up(self._listener)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if not self._whole:
                    _hang_up(near)
                    continue
                far = socket.create_connection(self._target)
                self._open |= {near, far}
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            self._open.discard(end)
            _hang_up(end)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        end.close()
