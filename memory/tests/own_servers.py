"""Servers of a test's own, which it may kill: PostgreSQL and Redis on free ports, and the product in front of them."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import redis

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(holds: Callable[[], object], *, seconds: float, what: str) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"{what}: not within {seconds:.0f} s"
        time.sleep(0.1)


def binaries() -> Path | None:
    """The folder of the newest PostgreSQL's programs; None where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    return Path(name).resolve().parent if (name := shutil.which("initdb")) else None


class Postgres:
    """A cluster of its own. It refuses to run as root, so there it runs as Debian's `postgres`."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self.folder = Path(tempfile.mkdtemp(prefix="hindsight-postgres-"))
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8")
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=60"
        self._run("pg_ctl", "start", "--wait", f"--log={self.folder}/log", f"--options={options}")

    def crash(self) -> None:
        """No goodbye to any client; what was committed is found again in the log of changes."""
        self._run("pg_ctl", "stop", "--mode=immediate")

    def remove(self) -> None:
        self._run("pg_ctl", "stop", "--mode=immediate", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        command = [str(binaries() / program), f"--pgdata={self.folder}", *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command]
        # the server keeps what it is given as its output open, so nothing may wait for its end
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", check=False)
        assert done.returncode == 0 or not check, f"{program} ended with {done.returncode}"


class Redis:
    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Empty, as one that keeps nothing on disk comes back."""
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd="/")
        wait_until(self._answers, seconds=10, what="Redis starts")

    def crash(self) -> None:
        self._process.kill()
        self._process.wait()

    remove = crash

    def _answers(self) -> bool:
        try:
            return redis.Redis.from_url(self.url).ping()
        except redis.ConnectionError:
            return False


@contextmanager
def product(environment: dict[str, str], log: Path) -> Iterator[None]:
    """Web and worker as the Procfile starts them, over a migrated database; both are gone when the block ends."""
    given = os.environ | environment
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=given, check=True)
    commands = []
    for line in (ROOT / "Procfile").read_text().splitlines():
        commands.append(line.partition(": ")[2])
    path = f"{Path(sys.executable).parent}:{given['PATH']}"
    running: list[subprocess.Popen] = []
    with log.open("w") as said:
        for command in commands:
            running.append(
                subprocess.Popen(
                    command,
                    shell=True,
                    cwd=ROOT,
                    env=given | {"PATH": path},
                    start_new_session=True,
                    stdout=said,
                    stderr=said,
                )  # fmt: skip
            )
        try:
            yield
        finally:
            for process in running:
                os.killpg(process.pid, signal.SIGTERM)
            for process in running:
                try:
                    process.wait(timeout=3)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)


def accepts(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=2).close()
        return True
    except psycopg.OperationalError:
        return False
