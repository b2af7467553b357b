"""The benchmark of tools' results says right for what is right and fails on what is wrong; on rows of our own."""

import json
import sys

import pytest

from benchmarks import mcp

FACT = "Contents of https://a.example/d:\n# Days\nThe return period is 30 days."
RIGHT = {
    "shape_id": "own-1", "server": "fetch", "tool": "fetch", "expect": "one durable fact: opening days; source=URL",
    "result": {"content": [{"type": "text", "text": FACT}]},
}  # fmt: skip
HUGE = {
    "shape_id": "own-2", "server": "x", "tool": "dump", "expect": "must be cut or summarised",
    "result": {"content": [{"type": "text", "text": "{{BIG}}"}]},
    "expand": {"path": "content.0.text", "repeat": "entry {i} of the dump\n", "times": 20_000},
}  # fmt: skip
WRONG = RIGHT | {"shape_id": "own-3", "expect": "error text"}
UNKNOWN = RIGHT | {"shape_id": "own-4", "expect": "something that nobody checks"}


@pytest.mark.parametrize("rows, total", [([RIGHT, HUGE], "2 of 2"), ([RIGHT, WRONG], "1 of 2"), ([UNKNOWN], "0 of 1")])
def test_every_row_is_held_against_what_it_expects(rows, total, tmp_path, capsys, monkeypatch):
    (tmp_path / "mcp").mkdir()
    lines = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "mcp" / "mcp_shapes.jsonl").write_text(lines, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["mcp", "--data", str(tmp_path), "--check", "--misses"])
    whole = total[0] == total[-1]
    if whole:
        mcp.main()
    else:
        with pytest.raises(SystemExit, match="1"):
            mcp.main()
    assert f"{total} right" in capsys.readouterr().out
