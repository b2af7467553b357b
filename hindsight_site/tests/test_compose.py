"""The image and docker-compose.yml, as far as they can be held to something without an engine that runs them."""

import json
import re
import shlex
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import yaml
from django.apps import apps
from django.conf import settings

from hindsight_site import gunicorn
from hindsight_site.tests.test_operator_doc import read_by_code
from memory.index.qdrant import OLDEST_SERVER

ROOT = Path(settings.BASE_DIR)
FILE = ROOT / "docker-compose.yml"
TEXT = FILE.read_text(encoding="utf-8")
COMPOSE = yaml.safe_load(TEXT)
SERVICES = COMPOSE["services"]
OURS = ("migrate", "web", "worker")
STORES = ("postgres", "redis", "qdrant")
# ${NAME}, ${NAME:-default}, ${NAME:?message}
ASKED = re.compile(r"(?<!\$)\$\{(\w+)(?::?([-?])([^}]*))?\}")
SECRET = re.compile(r"PASSWORD|SECRET|API_KEY")


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile as (word, rest) without comments, in its order, continued lines joined."""
    text = re.sub(r"^\s*#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [line.strip() for line in re.sub(r"\\\n\s*", "", text).splitlines()]
    return [(word.upper(), rest.strip()) for word, _, rest in (line.partition(" ") for line in lines if line)]


def said(word: str) -> list[str]:
    return [rest for instruction, rest in instructions() if instruction == word]


def set_by_image() -> set[str]:
    return {pair.partition("=")[0] for rest in said("ENV") for pair in shlex.split(rest)}


def seconds(duration: str) -> int:
    """Of `100s`, or of the default in `${NAME:-100s}`."""
    asked = ASKED.fullmatch(duration)
    number, unit = re.fullmatch(r"(\d+)([sm])", asked[3] if asked else duration).groups()
    return int(number) * {"s": 1, "m": 60}[unit]


def check(path: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(path)]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_file_satisfies_the_compose_specification(tmp_path):
    answer = check(FILE)
    assert answer.returncode == 0, answer.stdout
    misspelt = tmp_path / "docker-compose.yml"
    misspelt.write_text(TEXT.replace("condition: service_healthy", "condition: service_well"))
    assert check(misspelt).returncode == 1, "the check finds nothing"


@pytest.mark.parametrize("service", OURS)
def test_every_setting_is_handed_on_or_set_by_the_image(service):
    assert read_by_code() - set(SERVICES[service]["environment"]) - set_by_image() == set()


def test_the_example_explains_every_variable_that_is_asked_for_and_no_other():
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    named = {line.partition("=")[0]: above for above, line in zip(lines, lines[1:], strict=False) if "=" in line[:40]}
    named = {name: above for name, above in named.items() if re.fullmatch(r"[A-Z_]+", name)}
    assert set(named) == {name for name, _, _ in ASKED.findall(TEXT)}
    assert [name for name, above in named.items() if not above.startswith("# ") or "──" in above] == []


def test_the_example_holds_no_secret_that_could_be_left_as_it_is():
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if re.match(r"[A-Z_]+=.", line)] == []


def test_no_secret_has_a_default_and_the_needed_ones_are_demanded():
    secrets = {(name, kind, rest) for name, kind, rest in ASKED.findall(TEXT) if SECRET.search(name)}
    assert {name for name, kind, _ in secrets if kind == "?"} == {
        "POSTGRES_PASSWORD", "CONSOLE_SECRET_KEY", "VECTOR_DB_API_KEY",
    }  # fmt: skip
    assert {(name, rest) for name, kind, rest in secrets if kind != "?"} == {
        ("LLM_API_KEY", ""), ("EMBED_API_KEY", ""), ("EMBED_PREVIOUS_API_KEY", ""),
    }  # fmt: skip


@pytest.mark.parametrize("service", SERVICES)
def test_secrets_are_never_written_into_the_file(service):
    for name, value in SERVICES[service].get("environment", {}).items():
        if SECRET.search(name):
            assert ASKED.fullmatch(value), name
        if password := re.search(r"://\w*:(.+)@", value):
            assert ASKED.fullmatch(password[1]), name


def test_only_the_web_server_can_be_reached_and_only_from_this_machine():
    assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {
        "web": ["127.0.0.1:${CONSOLE_PORT:-8080}:8080"]
    }
    assert not [name for name, service in SERVICES.items() if "network_mode" in service]


def test_the_stores_are_on_a_network_without_a_way_out():
    assert COMPOSE["networks"]["stores"]["internal"] is True
    assert {name: SERVICES[name]["networks"] for name in STORES} == dict.fromkeys(STORES, ["stores"])


def test_whoever_is_waited_for_says_when_it_is_ready():
    for name, service in SERVICES.items():
        for other, wait in service.get("depends_on", {}).items():
            if wait["condition"] == "service_completed_successfully":
                assert SERVICES[other]["restart"] == "no", f"{name} waits for {other}, which never ends"
            else:
                assert wait["condition"] == "service_healthy"
                assert "test" in SERVICES[other]["healthcheck"], f"{name} waits for {other}"


def test_web_and_worker_wait_for_the_migration():
    for name in ("web", "worker"):
        assert SERVICES[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_images_are_pinned_and_ours_is_not_looked_for_in_a_registry():
    for name in STORES:
        assert re.search(r":v?\d+\.\d+(\.\d+)?(-\w+)?$", SERVICES[name]["image"]), name
    assert {SERVICES[name]["image"] for name in OURS} == {"hindsight-console:local"}
    assert {(SERVICES[name]["build"], SERVICES[name]["pull_policy"]) for name in OURS} == {(".", "build")}
    assert re.fullmatch(r"python:3\.11\.\d+-slim-\w+", *said("FROM"))


def test_qdrant_is_new_enough_for_what_is_asked_of_it():
    major, minor, _ = re.search(r":v(\d+)\.(\d+)\.(\d+)$", SERVICES["qdrant"]["image"]).groups()
    assert (int(major), int(minor)) >= OLDEST_SERVER


def test_a_stop_waits_until_jobs_and_requests_have_ended():
    assert seconds(SERVICES["worker"]["stop_grace_period"]) >= 3 * settings.Q_CLUSTER["timeout"]
    assert seconds(SERVICES["web"]["stop_grace_period"]) > gunicorn.graceful_timeout


def test_the_image_starts_what_the_procfile_starts():
    procfile = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    [command] = said("CMD")
    assert json.loads(command) == shlex.split(procfile["web"])
    assert "command" not in SERVICES["web"]
    assert SERVICES["worker"]["command"] == ["sh", "-c", procfile["worker"]]


def test_the_image_runs_as_nobody_special_and_knows_its_health():
    user = said("USER")[-1]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user), "a number, so that an orchestrator sees it is not root"
    [health] = said("HEALTHCHECK")
    assert "/health/live" in health
    assert SERVICES["worker"]["healthcheck"]["test"] == ["CMD", "python", "manage.py", "worker_alive"]


def test_the_image_takes_in_nothing_secret():
    assert not said("ADD") and not said("ARG")
    assert said("COPY") == ["requirements.txt .", ". ."]
    assert not [name for name in set_by_image() if SECRET.search(name)]
    first, *others = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] != "#"]
    assert first == "*", "all stays out but what is named"
    assert [line for line in others if line[0] == "!" and not re.fullmatch(r"![a-z_]+(\.py|\.txt)?", line)] == []


def test_the_image_takes_in_all_that_runs():
    needed = [Path(app.path) for app in apps.get_app_configs()] + [Path(settings.BASE_DIR) / "hindsight_site"]
    needed += [*settings.TEMPLATES[0]["DIRS"], *settings.STATICFILES_DIRS, *settings.LOCALE_PATHS, ROOT / "manage.py"]
    ours = {path.name for path in needed if path.parent == ROOT}
    assert ours >= {"memory", "review"}
    named = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert named == ours | {"requirements.txt"}


@contextmanager
def answering(status: int):
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status if self.path == "/readyz" else 404)
            self.end_headers()

        def log_message(self, *args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("status, well", [(200, True), (503, False)])
def test_qdrants_health_check_understands_http(status, well):
    kind, *command = SERVICES["qdrant"]["healthcheck"]["test"]
    assert kind == "CMD"
    with answering(status) as port:
        command = [part.replace("$$", "$").replace("/6333", f"/{port}") for part in command]
        assert (subprocess.run(command, timeout=10, capture_output=True).returncode == 0) is well
    assert subprocess.run(command, timeout=10, capture_output=True).returncode != 0, "nobody listens any more"
