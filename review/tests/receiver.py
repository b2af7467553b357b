"""A receiver of webhooks: it keeps what it is sent and answers as it is told."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """`answers`: the statuses it gives, in turn, then 204 for ever. `had`: (path, headers, body) of each request."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.had, self.answers, self.pause = [], [], threading.Event()
        self.hangs = False
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.had.append((self.path, dict(self.headers), body))
                if receiver.hangs:
                    receiver.pause.wait(20)
                self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        if tls:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self.port = self._http.server_port
        self.url = f"http://127.0.0.1:{self.port}/hook?team=7"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.pause.set()
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def receiver(**options) -> Iterator[Receiver]:
    server = Receiver(**options)
    try:
        yield server
    finally:
        server.close()
