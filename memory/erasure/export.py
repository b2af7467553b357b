"""All that is held of one user, as a zip of JSON lines: one file a table, and a manifest to check them by.

What is made from the rest (vectors, words of the index, caches) is left out and named in the manifest.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import IO, Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models, transaction

from memory.erasure.places import Place, Scope, places
from memory.files import personal
from memory.models import EndUser

CHUNK = 500


def write(user: EndUser, file: IO[bytes], *, now: datetime) -> dict[str, Any]:
    """Writes the zip into a binary file and answers its manifest: {user_id, at, files: [{name, rows, sha256}], …}.

    All tables are read as of one moment.
    """
    scope = Scope(user.workspace_id, user.pk)
    with transaction.atomic():
        if connection.vendor == "postgresql" and not connection.savepoint_ids:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            files = [_add(archive, place, scope) for place in places() if not place.derived]
            files.append(_put(archive, "episode_files.jsonl", personal.lines_of(user.pk)))
            manifest = {
                "user_id": user.external_id, "workspace": user.workspace.slug, "at": now.isoformat(),
                "files": [each for each in files if each["rows"]],
                "left_out": [place.model for place in places() if place.derived],
            }  # fmt: skip
            archive.writestr("manifest.json", json.dumps(manifest, ensure_ascii=False, indent=2))
    return manifest


def _add(archive: zipfile.ZipFile, place: Place, scope: Scope) -> dict[str, Any]:
    return _put(archive, f"{place.model.lower()}.jsonl", _lines(place.rows(scope)))


def _put(archive: zipfile.ZipFile, name: str, lines: Iterator[bytes]) -> dict[str, Any]:
    """One file of the zip, and what the manifest says of it; none where there is no line."""
    digest, rows = hashlib.sha256(), 0
    first = next(lines, None)
    if first is None:
        return {"name": name, "rows": 0, "sha256": digest.hexdigest()}
    with archive.open(name, "w", force_zip64=True) as out:
        for line in chain([first], lines):
            digest.update(line)
            out.write(line)
            rows += 1
    return {"name": name, "rows": rows, "sha256": digest.hexdigest()}


def _lines(rows: models.QuerySet) -> Iterator[bytes]:
    binary = {field.attname for field in rows.model._meta.concrete_fields if isinstance(field, models.BinaryField)}
    for row in rows.order_by("pk").values().iterator(chunk_size=CHUNK):
        kept = {name: value for name, value in row.items() if name not in binary}
        yield json.dumps(kept, ensure_ascii=False, cls=DjangoJSONEncoder).encode("utf-8", "backslashreplace") + b"\n"
