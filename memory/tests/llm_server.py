"""An OpenAI-compatible server for tests: it answers as told, and misbehaves in every way a server can."""

import json
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_EVENT = re.compile(r"<<<EVENT (\d+) (\w+) from ([^>]*)>>>\n(.*?)\n<<<END \1 \2>>>", re.DOTALL)
NOTHING = {"worth": False, "whose": "", "looked_up_when": "", "adds": "", "claims": []}

Way = Callable[[BaseHTTPRequestHandler], None]


def claim(quote: str, attribute: str = "", value: str = "", **fields) -> dict:
    usual = {
        "subject": "user", "category": "profile", "said_by": "user", "about_whom": "user", "when_true": "",
        "hypothetical": False, "negated": False, "past": False,
    }  # fmt: skip
    return usual | {"quote": quote, "attribute": attribute, "value": value} | fields


def worth(*claims: dict, **fields) -> dict:
    usual = {"worth": True, "whose": "user", "looked_up_when": "who this is", "adds": "something about the person"}
    return usual | {"claims": list(claims)} | fields


class LlmServer:
    """`knows` maps a part of an event's text to the model's judgement of it; what it does not know is worth nothing.

    `ways` are taken one a request before it answers properly; `always` is taken every time. `asked` keeps each
    request's body, `texts()` the events of all of them.
    """

    def usual(self, handler: BaseHTTPRequestHandler) -> None:
        say_what_it_knows(handler)

    def __init__(self) -> None:
        self.knows: dict[str, dict] = {}
        self.ways: list[Way] = []
        self.always: Way | None = None
        self.asked: list[dict] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if server.always is None:
                    respond(self, 200, {"data": []})
                else:
                    server.always(self)

            def do_POST(self):
                with server._lock:
                    self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                    server.asked.append(self.body)
                    way = server.always or (server.ways.pop(0) if server.ways else server.usual)
                    server._now += 1
                    server.most_at_once = max(server.most_at_once, server._now)
                self.stopped, self.knows = server._stopped, server.knows
                with suppress(OSError):
                    way(self)
                with server._lock:
                    server._now -= 1

            def log_message(self, *_):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def texts(self) -> list[str]:
        return [found[3] for body in self.asked for found in events_of(body)]

    def close(self) -> None:
        self._stopped.set()
        self._http.shutdown()
        self._http.server_close()


def events_of(body: dict) -> list[tuple[str, str, str, str]]:
    """(number, code, source, text) of every event of a question."""
    return _EVENT.findall(body["messages"][1]["content"])


def form_of(body: dict) -> str:
    asked = body.get("response_format", {})
    return asked.get("type", "plain") + (" with schema" if "schema" in asked else "")


def respond(handler, status: int, body: dict | bytes, **headers: str) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(content)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


def completion(text, **fields) -> dict:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960}
    return {"id": "x", "object": "chat.completion", "choices": [choice | fields], "usage": usage}


def say_what_it_knows(handler) -> None:
    judged = [
        {"event": int(number)}
        | next((found for part, found in handler.knows.items() if part in text), NOTHING)
        for number, _, _, text in events_of(handler.body)
    ]  # fmt: skip
    respond(handler, 200, completion(json.dumps({"events": judged}, ensure_ascii=False)))


def say(text, **fields) -> Way:
    return lambda handler: respond(handler, 200, completion(text, **fields))


def answer(status: int, body: dict | bytes, **headers: str) -> Way:
    return lambda handler: respond(handler, status, body, **headers)


def fail(status: int, **headers: str) -> Way:
    return answer(status, {"error": {"message": f"this is {status}"}}, **headers)


def slowly(seconds: float) -> Way:
    def way(handler):
        handler.stopped.wait(seconds)
        say_what_it_knows(handler)

    return way


def in_company(many: int) -> Way:
    """Answers once `many` have asked at one time: however slowly the machine brings them together."""
    met = threading.Barrier(many)

    def way(handler):
        with suppress(threading.BrokenBarrierError):
            met.wait(timeout=15)
        slowly(0.1)(handler)

    return way


def hang(handler) -> None:
    handler.stopped.wait(60)


def drip_headers(handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    _drip(handler)


def drip_body(handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    _drip(handler)


def _drip(handler) -> None:
    while not handler.stopped.is_set():
        handler.wfile.write(b"x")
        time.sleep(0.05)


def drop(handler) -> None:
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"choices": [{"mess')
    handler.close_connection = True


def send_a_flood(handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n")
    while not handler.stopped.is_set():
        handler.wfile.write(b" " * 65536)


def refuse_forms(*forms: str) -> Way:
    """400 to a question that asks for one of these forms, else a proper answer."""

    def way(handler):
        if form_of(handler.body) in forms:
            fail(400)(handler)
        else:
            say_what_it_knows(handler)

    return way
