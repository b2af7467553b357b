"""Database servers: rows as JSON, as an object around them, or as Python prints a list of dicts.

Rows are data: they are kept to be read, and no statement for memory is made of them.
"""

import ast
import re
from typing import Any

from memory.mcp import blocks
from memory.mcp.shapes import CallToolResult
from memory.mcp.types import Extracted, Tool

_SERVER = re.compile(
    r"postgres|mysql|mariadb|sqlite|mssql|sql_?server|oracle|duckdb|bigquery|snowflake|clickhouse|supabase|neon"
)
_NAME = re.compile(
    r"(?:^|[_\-.])(?:sql|(?:execute|run|read|write|pg)_query)(?:$|[_\-.])|^query$|execute_sql", re.IGNORECASE
)
_AROUND = ("rows", "data", "results", "result", "records", "items")
_LITERAL = 50_000


def fits(tool: Tool, result: CallToolResult) -> bool:
    return bool(_SERVER.search(tool.server.lower()) or _NAME.search(tool.name))


def extract(tool: Tool, result: CallToolResult) -> Extracted:
    text = blocks.text_of(result)
    told = [result.structured_content] if result.structured_content is not None else blocks.json_of(text)
    told = told or _printed(text)
    rows = _rows(told[0] if len(told) == 1 else told) if told else None
    if rows is None:
        return Extracted(title=tool.name, text=text or blocks.lines_of(told[0]) if told else text, is_data=bool(told))
    columns = list(dict.fromkeys(str(name) for row in rows if isinstance(row, dict) for name in row))[:100]
    fields: dict[str, Any] = {"rows": len(rows)} | ({"columns": columns} if columns else {})
    if len(rows) == 1 and isinstance(rows[0], dict):
        fields |= {f"row.{name}": value for name, value in blocks.fields_of(rows[0]).items()}
    return Extracted(
        title=f"{len(rows)} row{'' if len(rows) == 1 else 's'}", text=blocks.lines_of(rows), fields=fields, is_data=True
    )


def _rows(data: Any) -> list | None:
    if isinstance(data, list):
        return data
    if isinstance(data, dict):
        return next((data[name] for name in _AROUND if isinstance(data.get(name), list)), None)
    return None


def _printed(text: str) -> list[Any]:
    if not text.lstrip().startswith(("[", "{")) or len(text) > _LITERAL:
        return []
    try:
        return [ast.literal_eval(text.strip())]
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return []
