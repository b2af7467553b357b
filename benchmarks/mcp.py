"""`python -m benchmarks.mcp --data DIR`: how tools' results are read, on DIR/mcp/mcp_shapes.jsonl (see its README).

Every row goes the way a posted result goes: cleaned, taken apart, told whether it failed, judged. First come the rules
that hold for any result (the stored JSON has every required field and no null, NUL, half surrogate, binary or secret;
the main text is short; a failure makes no fact), then what the row itself expects, in numbers and words of this file.
Printed per kind; --misses names what went wrong; --check ends with 1 unless everything is right.
"""

import argparse
import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory.intake.clean import clean_text, language, mask_secrets
from memory.intake.distil import distil
from memory.intake.judge_rules import judge
from memory.intake.types import Category, Claim, Event, SourceClass
from memory.mcp.reading import MAIN_TEXT, Reading, read
from memory.mcp.types import Tool

NOW = datetime(2025, 6, 1, tzinfo=UTC)
_BAD_SIGN = re.compile("[\x00\ud800-\udfff]")
_BINARY = re.compile(r"[A-Za-z0-9+/]{400,}={0,2}")
_REF = re.compile(r"\[ref=\w+\]")


@dataclass(frozen=True, slots=True)
class Outcome:
    row: dict[str, Any]
    found: Reading
    claims: list[Claim]
    milliseconds: float

    @property
    def kept(self) -> dict[str, Any]:
        return self.found.kept

    def cut(self, kind: str) -> bool:
        return any(cut["kind"] == kind for cut in self.kept["cuts"])

    def says(self, *words: str) -> bool:
        return all(word in self.found.text for word in words)


# What a row expects, found by words of its own `expect`: the first that fits decides the kind.
Check = Callable[[Outcome], bool]
EXPECTED: tuple[tuple[str, str, Check], ...] = (
    ("page state", r"page state is session noise", lambda one: one.found.url.startswith("http")
        and bool(one.kept["title"]) and bool(one.found.text) and not _REF.search(one.found.text)),
    ("huge page", r"cut or summarised|huge raw HTML", lambda one: one.cut("characters") and "characters cut" in
        one.found.text and "<div" not in one.found.text and "pad 1" not in one.found.text),
    ("empty as success", r"empty result disguised", lambda one: one.found.status == "error"),
    ("one fact of a page", r"one durable fact", lambda one: len(one.claims) == 1
        and one.claims[0].category is Category.KNOWLEDGE and one.found.url.startswith("http")),
    ("secret in raw HTTP", r"secret must be masked", lambda one: "cookie" in one.kept["masked"]
        and bool(one.kept["fields"].get("status"))),
    ("several objects", r"several JSON objects", lambda one: one.cut("server") and one.kept["fields"]["count"] > 1),
    ("rows", r"rows as JSON", lambda one: one.kept["fields"]["rows"] > 0 and one.kept["is_data"] and not one.claims
        and "null" not in one.found.text and "None" not in one.found.text),
    ("structured only", r"data only in structuredContent", lambda one: one.found.status == "ok"
        and bool(one.found.text) and bool(one.kept["fields"])),
    ("all null", r"all null", lambda one: one.found.status == "ok" and one.kept["result"]["content"] == []
        and one.kept["result"]["isError"] is False and not one.claims),
    ("media", r"audio|image", lambda one: len(one.kept["references"]) >= 1 and all(
        kept["bytes"] > 0 and len(kept["sha256"]) == 64 for kept in one.kept["references"])
        and all(piece["text"] in one.found.text for piece in one.row["result"]["content"] if piece["type"] == "text")),
    ("embedded resource", r"embedded resource", lambda one: bool(one.kept["links"]) and all(
        one.says(piece["resource"]["text"].lstrip("# ")) for piece in one.row["result"]["content"]
        if piece["type"] == "resource")),
    ("failure", r"error|failure", lambda one: one.found.status == "error" and bool(one.found.text)),
    ("Chinese", r"Chinese", lambda one: one.found.status == "ok" and one.found.text.count("\n") >= 2
        and bool(one.kept["title"])),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    kinds: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    slowest = 0.0
    for row in rows(options.data / "mcp" / "mcp_shapes.jsonl"):
        one = run(row)
        slowest = max(slowest, one.milliseconds)
        kind, wrong = faults(one)
        kinds[kind].append((row["shape_id"], wrong))
    total = sum(map(len, kinds.values()))
    right = sum(not wrong for found in kinds.values() for _, wrong in found)
    for kind, found in kinds.items():
        print(f"{kind:22}{sum(not wrong for _, wrong in found):3} of {len(found)} right")
        for shape, wrong in found if options.misses else []:
            if wrong:
                print(f"      {shape}: {'; '.join(wrong)}")
    print(f"{'all':22}{right:3} of {total} right; the slowest took {slowest:.0f} ms")
    if options.check and (right < total or not total):
        raise SystemExit(1)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows, those that stand for something huge at their full size."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            row = json.loads(line)
            if "expand" in row:
                _expand(row["result"], row["expand"])
            yield row


def run(row: dict[str, Any]) -> Outcome:
    started = time.perf_counter()
    found = read(row["result"], Tool(name=row["tool"], server=row["server"]))
    took = (time.perf_counter() - started) * 1000
    text, _ = mask_secrets(clean_text(found.text))
    source = SourceClass.EXTERNAL_CONTENT if found.kept["is_external"] else SourceClass.TOOL_RETURN
    event = Event(
        text=text, role="tool", kind="tool_result", event_time=NOW, source_class=source, name=row["tool"],
        status=found.status, lang=language(text), hidden=tuple(found.kept["hidden"]), is_data=found.kept["is_data"],
    )  # fmt: skip
    return Outcome(row, found, distil(event, judge(event)), took)


def faults(one: Outcome) -> tuple[str, list[str]]:
    """The kind of the row, and what is wrong with its outcome."""
    wrong = [name for name, holds in ALWAYS.items() if not holds(one)]
    for kind, words, holds in EXPECTED:
        if re.search(words, one.row["expect"], re.IGNORECASE):
            return kind, wrong if holds(one) else [*wrong, f"not as expected ({one.row['expect']})"]
    return "unknown", [*wrong, f"nothing here checks {one.row['expect']!r}"]


def _no_null(result: Any) -> bool:
    """Null stands only inside the tool's own data, where it is a value."""
    own = {name: member for name, member in result.items() if name not in ("structuredContent", "_meta")}
    waiting = [own]
    while waiting:
        inner = waiting.pop()
        if inner is None:
            return False
        waiting.extend(inner.values() if isinstance(inner, dict) else inner if isinstance(inner, list) else ())
    return True


def _makes_no_fact(one: Outcome) -> bool:
    return one.found.status == "ok" or all(claim.category is Category.TOOL_EXPERIENCE for claim in one.claims)


ALWAYS: dict[str, Check] = {
    "a required field is missing": lambda one: {"content", "isError"} <= set(one.kept["result"]),
    "a null is left": lambda one: _no_null(one.kept["result"]),
    "NUL or half a surrogate is left": lambda one: not _BAD_SIGN.search(
        json.dumps(one.kept, ensure_ascii=False) + one.found.text),
    "a binary is left": lambda one: not _BINARY.search(json.dumps(one.kept)),
    "a secret is left": lambda one: not mask_secrets(json.dumps(one.kept, ensure_ascii=False))[1]
        and not mask_secrets(one.found.text)[1],
    "the main text is too long": lambda one: len(one.found.text) <= MAIN_TEXT + 100,
    "a flagged error is no error": lambda one: one.found.status == "error" or not one.row["result"].get("isError"),
    "a failure became a fact": _makes_no_fact,
}  # fmt: skip


def _expand(result: dict[str, Any], how: dict[str, Any]) -> None:
    *way, last = [int(step) if step.isdigit() else step for step in how["path"].split(".")]
    place: Any = result
    for step in way:
        place = place[step]
    filling = "".join(how["repeat"].replace("{i}", str(number)) for number in range(how["times"]))
    place[last] = place[last].replace("{{BIG}}", filling)


if __name__ == "__main__":
    main()
