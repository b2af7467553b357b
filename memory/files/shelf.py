"""The folder of the files: written whole or not at all, read against their digests, and nothing in it unknown."""

import gzip
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from memory.models import EpisodeFile

CHUNK = 1 << 20
LOCK = 0x6D656D66  # of this module among PostgreSQL's advisory locks


class Faulty(Exception):
    """The file is not as it was written; `fault` is "missing" or "altered"."""

    def __init__(self, name: str, fault: str):
        super().__init__(f"{name} is {fault}")
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Written:
    bytes: int
    sha256: str


def folder() -> Path:
    return settings.DATA_DIR / "episodes"


def take_turn(workspace_pk: int) -> None:
    """One writer of a workspace's files at a time, until the transaction ends; SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK, workspace_pk])


def write(name: str, lines: Iterable[bytes]) -> Written:
    """Writes the file, readable by its owner only, and waits until the disk has it."""
    path = folder() / name
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    half = path.with_name(f"{path.name}.half")
    with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw:
        # the same lines make the same bytes
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
            packed.writelines(lines)
        raw.flush()
        os.fsync(raw.fileno())
    os.replace(half, path)
    _keep_folder(path.parent)
    return Written(path.stat().st_size, digest(path))


def read(file: EpisodeFile) -> Iterator[bytes]:
    """Its lines, checked before the first is given. Raises Faulty."""
    check(file)
    with gzip.open(folder() / file.name, "rb") as packed:
        yield from packed


def check(file: EpisodeFile) -> None:
    """Raises Faulty when the file is gone or its bytes are others."""
    path = folder() / file.name
    try:
        found = digest(path)
    except FileNotFoundError as error:
        raise Faulty(file.name, "missing") from error
    if found != file.sha256:
        raise Faulty(file.name, "altered")


def digest(path: Path) -> str:
    with open(path, "rb") as raw:
        return hashlib.file_digest(raw, "sha256").hexdigest()


def remove(name: str) -> None:
    (folder() / name).unlink(missing_ok=True)


@transaction.atomic
def sweep(workspace_pk: int) -> int:
    """Removes what no row names: files of a run that was cut off, and those an erasure has written anew. Answers how
    many."""
    take_turn(workspace_pk)
    named = set(EpisodeFile.objects.filter(workspace=workspace_pk).values_list("name", flat=True))
    place = folder() / str(workspace_pk)
    unknown = [path for path in place.glob("*") if f"{workspace_pk}/{path.name}" not in named]
    for path in unknown:
        path.unlink(missing_ok=True)
    return len(unknown)


def _keep_folder(path: Path) -> None:
    """A renamed file is on the disk once its folder is."""
    there = os.open(path, os.O_RDONLY)
    try:
        os.fsync(there)
    finally:
        os.close(there)
