"""Heads of chains: a line of JSON that fixes everything sealed so far, to be kept where nobody here can change it."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from memory.models import AuditSeal, Workspace


class BadHeads(ValueError):
    """Says which line of a file of heads cannot be read, and why."""


def head_of(chain: int | None) -> dict[str, Any] | None:
    """The last seal of a workspace's chain; None before the first one."""
    found = AuditSeal.objects.filter(workspace=chain).select_related("workspace").defer("digests").order_by("-number")
    last = found.first()
    if last is None:
        return None
    return {
        "workspace": last.workspace.slug if last.workspace else "", "chain": chain or 0, "seal": last.number,
        "events": last.total, "hash": last.hash, "sealed_at": last.sealed_at.isoformat(),
    }  # fmt: skip


def heads() -> Iterator[dict[str, Any]]:
    """The head of every chain that has one."""
    for chain in chains():
        if head := head_of(chain):
            yield head


def chains() -> list[int | None]:
    """The keys of all workspaces, and None for what happened outside of them."""
    return [*Workspace.objects.order_by("pk").values_list("pk", flat=True), None]


def read(lines: Iterable[str]) -> dict[int | None, dict[int, str]]:
    """Of each chain, the hash of every seal that the lines name. Raises BadHeads."""
    found: dict[int | None, dict[int, str]] = {}
    for place, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            head = json.loads(line)
            chain, number, hash = head["chain"], head["seal"], head["hash"]
        except (ValueError, TypeError, KeyError) as error:
            raise BadHeads(f"line {place} is not a head of a chain") from error
        if type(chain) is not int or type(number) is not int or not isinstance(hash, str):
            raise BadHeads(f"line {place} is not a head of a chain")
        if found.setdefault(chain or None, {}).setdefault(number, hash) != hash:
            raise BadHeads(f"line {place} names another hash for seal {number} than an earlier line")
    return found
