"""The filesystem server: files, directories, and what it says of a change.

Source: modelcontextprotocol/servers, src/filesystem. A file is somebody's document; a listing is data.
"""

import re
from pathlib import PurePosixPath, PureWindowsPath

from memory.mcp import blocks
from memory.mcp.page import read_page
from memory.mcp.shapes import CallToolResult
from memory.mcp.types import Extracted, Tool

_READS = frozenset({"read_text_file", "read_file", "read_media_file", "read_multiple_files"})
_LISTS = frozenset(
    {"list_directory", "list_directory_with_sizes", "directory_tree", "search_files", "list_allowed_directories",
     "get_file_info"}
)  # fmt: skip
_TOOLS = _READS | _LISTS | {"write_file", "edit_file", "create_directory", "move_file"}
_ENTRY = re.compile(r"^\[(FILE|DIR)\] (.+)$", re.MULTILINE)
_FACT = re.compile(r"^(\w+): (.+)$", re.MULTILINE)


def fits(tool: Tool, result: CallToolResult) -> bool:
    return "filesystem" in tool.server.lower() or _name(tool) in _TOOLS


def extract(tool: Tool, result: CallToolResult) -> Extracted:
    name, path = _name(tool), _path(tool)
    text = blocks.text_of(result)
    fields: dict = {"path": path} if path else {}
    title = _base(path) or name
    if name in _LISTS:
        return Extracted(title=title, text=text, fields=fields | _counted(name, text), is_data=True)
    if name not in _READS:
        return Extracted(title=title, text=text, fields=fields)
    if references := blocks.references_of(result):
        fields |= {"mimeType": references[0]["mimeType"], "bytes": references[0]["bytes"]}
    page = read_page(text)
    return Extracted(
        title=page.title or title, text=page.text, links=page.links, fields=fields, is_document=True, is_external=True,
        url=f"file://{path}" if path else "", hidden=page.hidden,
    )  # fmt: skip


def _name(tool: Tool) -> str:
    return tool.name.rsplit("__", 1)[-1]


def _path(tool: Tool) -> str:
    path = tool.arguments.get("path") or tool.arguments.get("source")
    return path if isinstance(path, str) else ""


def _base(path: str) -> str:
    return (PureWindowsPath(path) if "\\" in path else PurePosixPath(path)).name


def _counted(name: str, text: str) -> dict:
    if name == "get_file_info":
        return {found[1]: found[2].strip() for found in _FACT.finditer(text[:4000])}
    kinds = [kind for kind, _ in _ENTRY.findall(text)]
    return {"files": kinds.count("FILE"), "directories": kinds.count("DIR")} if kinds else {}
