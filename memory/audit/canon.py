"""What is hashed: the canonical form of an event and of a seal. Pure; a form that was used is never changed.

Form 1. An event is the UTF-8 bytes of a JSON array of its COLUMNS in their order, without spaces, keys sorted, every
character beyond ASCII escaped, its moment in UTC to the microsecond ("2026-05-04T09:30:00.000000+00:00"). JSON values
are hashed as the database gives them back. A seal is a line of JSON of its header, a line break, and its digests.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

FORM = 1
COLUMNS = (
    "id", "workspace_id", "at", "actor_kind", "actor_id", "actor_label", "action", "denied", "object_type",
    "object_id", "reason", "before", "after", "address", "request_id",
)  # fmt: skip
_AT = COLUMNS.index("at")
_ID_BYTES, _DIGEST_BYTES = 8, 32
_ENTRY = _ID_BYTES + _DIGEST_BYTES


def row_digest(row: Sequence[Any]) -> bytes:
    """SHA-256 of an event, given as the values of COLUMNS."""
    return hashlib.sha256(_line([*row[:_AT], _moment(row[_AT]), *row[_AT + 1 :]])).digest()


def seal_hash(*, chain: int, number: int, previous: str, count: int, total: int, first_id: int, last_id: int,
              upto: int, sealed_at: datetime, digests: bytes) -> str:  # fmt: skip
    """SHA-256 of a seal, in hex. `chain` is the workspace's key, 0 outside of all; `previous` the hash before it."""
    header = ["audit-seal", FORM, chain, number, previous, count, total, first_id, last_id, upto, _moment(sealed_at)]
    return hashlib.sha256(_line(header) + b"\n" + digests).hexdigest()


def pack(entries: Iterable[tuple[int, bytes]]) -> bytes:
    """(id, digest) of a seal's events, as it stores them."""
    return b"".join(id.to_bytes(_ID_BYTES, "big") + digest for id, digest in entries)


def unpack(digests: bytes) -> Iterator[tuple[int, bytes]]:
    for start in range(0, len(digests), _ENTRY):
        yield int.from_bytes(digests[start : start + _ID_BYTES], "big"), digests[start + _ID_BYTES : start + _ENTRY]


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _line(values: list[Any]) -> bytes:
    return json.dumps(values, separators=(",", ":"), sort_keys=True).encode()
