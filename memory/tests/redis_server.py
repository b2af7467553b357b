"""A redis-server for one test, where the machine's own cannot be stopped or set up otherwise."""

import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest
import redis


class Server:
    """On a free port, with what `options` say; keeps nothing over a restart. Skips the test where there is none."""

    def __init__(self, folder: str | Path, *options: str) -> None:
        if not shutil.which("redis-server"):
            pytest.skip("redis-server is not installed here")
        self.port = free_port()
        self.folder = str(folder)
        self.options = options
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder]
        self.process = subprocess.Popen([*command, *self.options], stdout=subprocess.DEVNULL)
        for _ in range(100):
            try:
                redis.Redis.from_url(self.url).ping()
                return
            except redis.ConnectionError:
                time.sleep(0.05)
        raise AssertionError("redis-server did not start")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
