"""A clean result becomes title, main text, links and fields, by the first kind of tool that knows its shape."""

from memory.mcp.extractors import burp, fetch, filesystem, github, playwright, sql, structured
from memory.mcp.shapes import CallToolResult
from memory.mcp.types import Extracted, Tool

# By name or grammar, from the most particular to the one that takes everything.
EXTRACTORS = (playwright, fetch, github, burp, filesystem, sql, structured)


def extract(tool: Tool, result: CallToolResult) -> Extracted:
    """Never raises on a clean result; what no tool's grammar knows is taken as data or as plain text."""
    return next(known for known in EXTRACTORS if known.fits(tool, result)).extract(tool, result)
