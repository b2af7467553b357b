"""Records as a file to download, written while it is sent: CSV that a spreadsheet cannot run, or JSON lines."""

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.http import StreamingHttpResponse

TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
# A spreadsheet takes a cell that begins so for a formula: OWASP, "CSV Injection".
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_BYTE_ORDER_MARK = "\ufeff"  # without it spreadsheets read Chinese in the system's old encoding


def download(records: Iterable[dict[str, Any]], *, columns: list[str], kind: str, name: str) -> StreamingHttpResponse:
    """The records, each with all of `columns`, as `name`.csv or `name`.jsonl; `kind` is one of TYPES."""
    lines = _csv(records, columns) if kind == "csv" else _jsonl(records)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(lines, content_type=TYPES[kind], headers=headers)


class _Echo:
    """A file for csv.writer that gives back what is written to it."""

    def write(self, line: str) -> str:
        return line


def _csv(records: Iterable[dict[str, Any]], columns: list[str]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield _BYTE_ORDER_MARK + writer.writerow(columns)
    for record in records:
        yield writer.writerow([_safe(record[column]) for column in columns])


def _safe(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA) else value


def _jsonl(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    for record in records:
        yield json.dumps(record, ensure_ascii=False) + "\n"
