"""Reads the stories: one file a person, one line a step, into one list in the order of time.

A file's first line names the person: {"user_id", "agent", "about"}. {"run", "days_ago"} begins a conversation.
Every other line is one step, told by the key it has:
  user | assistant | system   the words of a message; assistant may carry "task_state" and "summary": true
  call, text                  the agent calls a tool (name, arguments)
  tool, text                  what the tool gave back; "status": "error" when it failed, "url" for a page
  search                      the agent asks what is remembered
  decide, claim, reason       the demo's reviewer decides (keep, accept, keep_both, edit, reject_both) the open
                              conflict whose claim contains these words; "after_hours" after the line before it,
                              "note" in the reviewer's words, "text" for an edited wording
"wait_minutes" moves any step away from the one before; "said_days_ago" gives an event an older time than its arrival.
"""

import json
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

STORIES = Path(__file__).parent / "stories"
PAUSE = timedelta(seconds=40)
_SPEAKERS = ("user", "assistant", "system")
_KINDS = (*_SPEAKERS, "call", "tool", "search", "decide")
_EXTRAS = {
    "text", "status", "url", "task_state", "summary", "said_days_ago", "wait_minutes", "after_hours", "claim", "reason",
    "note",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens `ago` before now. `kind` is the key that told it, `line` the whole line."""

    ago: timedelta
    kind: str
    user_id: str
    agent: str
    run_id: str
    line: dict[str, Any]


def load(folder: Path = STORIES) -> list[Step]:
    """Every step of every story, earliest first. Raises ValueError with file and line of what cannot be read."""
    steps = [step for path in sorted(folder.glob("*.jsonl")) for step in _story(path)]
    return sorted(steps, key=lambda step: -step.ago)


def _story(path: Path) -> list[Step]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    person, *rest = lines
    steps: list[Step] = []
    run_id, ago = "", timedelta()
    for number, line in enumerate(rest, start=2):
        if "run" in line:
            run_id, ago = line["run"], timedelta(days=line["days_ago"])
            continue
        kinds = [kind for kind in _KINDS if kind in line]
        unknown = set(line) - set(kinds) - _EXTRAS
        if len(kinds) != 1 or unknown or not run_id:
            raise ValueError(f"{path.name}, line {number}: one of {', '.join(_KINDS)} is needed, not {sorted(line)}")
        ago -= PAUSE + timedelta(minutes=line.get("wait_minutes", 0), hours=line.get("after_hours", 0))
        steps.append(Step(ago, kinds[0], person["user_id"], person["agent"], run_id, line))
    return steps


def event_of(step: Step, said: str) -> dict[str, Any]:
    """The step as the body of one event of the agents' API; `said` is its time as ISO 8601."""
    line = step.line
    event: dict[str, Any] = {
        "user_id": step.user_id, "run_id": step.run_id, "agent_id": step.agent, "event_time": said,
    }  # fmt: skip
    if step.kind in _SPEAKERS:
        event |= {"role": step.kind, "content": line[step.kind]}
    elif step.kind == "call":
        event |= {"role": "assistant", "kind": "tool_call", "name": line["call"], "content": line["text"]}
    else:
        event |= {"role": "tool", "kind": "tool_result", "name": line["tool"], "content": line["text"]}
        event["status"] = line.get("status", "ok")
    metadata = {key: line[key] for key in ("url", "summary") if key in line}
    extra = {"metadata": metadata} if metadata else {}
    if "task_state" in line:
        extra["task_state"] = line["task_state"]
    return event | extra
