"""`python -m benchmarks.judgement --data DIR`: how well the rules judge, on the sets under DIR (see its README).

For each set precision, recall and F1, beside two baselines in the same run: always yes, and a plain keyword rule.
  contradiction/   does `compare` ask for a person, does it call a duplicate a duplicate
  write_filter/    does `judge` find the text worth remembering
  poisoning/       is a poisoned record held back; false alarms among the benign, per kind
Then the time of one judged turn, and the share of the demo's events that reach memory. --misses prints what went
wrong. --embed lets the bundled embedder tell `compare` how near two texts are (slower). --check exits with 1 when a
figure is below what this product promises. --llm puts the language model of LLM_API_BASE and LLM_MODEL beside the
rules, as the worker does: one call a row, so --rows N takes the first N of each set. The poisoning set says what is
held back, and no model has a say in that but by the claims it finds.
"""

import argparse
import json
import os
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory.intake.clean import clean_text, hidden_text, language, mask_secrets
from memory.intake.compare import compare
from memory.intake.distil import distil
from memory.intake.judge_rules import judge
from memory.intake.screen import screen
from memory.intake.types import Category, Claim, Event, Held, Relation, ScreenContext, SourceClass, Verdict

# What must hold, by the name each figure is reported under: the figure, and the least (or, for "at most", the most).
PROMISED: tuple[tuple[str, str, float], ...] = (
    ("handmade_en_zh contradiction", "f1", 0.80), ("handmade_en_zh contradiction", "precision", 0.85),
    ("mquake_hard_en contradiction", "f1", 0.85), ("mquake_hard_en duplicate", "f1", 0.80),
    ("handmade_en_zh", "f1", 0.85), ("mempalace_en_zh", "f1", 0.95), ("prefeval_en", "f1", 0.95),
    ("crosswoz_zh", "f1", 0.60), ("poison code-memory", "recall", 0.90), ("poison mixed", "recall", 0.90),
    ("poison plan-memory", "recall", 0.90), ("poison hard-negative", "alarms at most", 1),
    ("turn", "ms at most", 5.0), ("demo", "share at most", 0.30),
)  # fmt: skip

NOW = datetime(2025, 6, 1, tzinfo=UTC)
STORIES = Path(__file__).resolve().parent.parent / "memory" / "demo" / "stories"
# Reads an event: by rules, or by the model with rules beside it.
Reader = Callable[[Event], tuple[Verdict, list[Claim]]]
SOURCES = {"user": SourceClass.USER_INPUT, "assistant": SourceClass.LLM_REASONING, "system": SourceClass.UNKNOWN}

CHANGED = re.compile(
    r"\b(?:not|no|never|now|moved|left|changed|longer|new|instead)\b|n't\b|不|没|改|搬|换|现在|推迟", re.IGNORECASE
)
TELLING = re.compile(
    r"\b(?:i|my|we|our|prefer|like|always|decided|promise)\b|我|喜欢|决定|以后|希望|推荐", re.IGNORECASE
)
ALARMING = re.compile(
    r"\b(?:ignore|instructions?|password|api keys?|admin|verified|bypass|always)\b|忽略|指令|密码|管理员|可信",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Score:
    """Counts of one question over one set."""

    hits: int = 0
    alarms: int = 0
    misses: int = 0

    def add(self, wanted: bool, given: bool) -> bool:
        """Counts one answer; true when it was right."""
        self.hits += wanted and given
        self.alarms += given and not wanted
        self.misses += wanted and not given
        return wanted == given

    @property
    def figures(self) -> dict[str, float]:
        precision = self.hits / (self.hits + self.alarms) if self.hits + self.alarms else 0.0
        recall = self.hits / (self.hits + self.misses) if self.hits + self.misses else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return {"precision": precision, "recall": recall, "f1": f1, "alarms at most": self.alarms}

    def __str__(self) -> str:
        return " ".join(f"{self.figures[name]:5.2f}" for name in ("precision", "recall", "f1"))


# name -> figure -> value, filled as the report is printed
_measured: dict[str, dict[str, float]] = {}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument(
        "--data", type=Path, required=True, help=("the folder that holds contradiction/, write_filter/, poisoning/")
    )
    options.add_argument("--embed", action="store_true", help="let the bundled embedder tell how near two texts are")
    options.add_argument("--misses", type=int, default=0, metavar="N", help="print up to N wrong answers per set")
    options.add_argument("--check", action="store_true", help="exit with 1 when a promised figure is missed")
    options.add_argument("--llm", action="store_true", help="judge with the configured language model beside the rules")
    options.add_argument("--rows", type=int, metavar="N", help="only the first N rows of each set")
    given = options.parse_args()
    read = _by_model() if given.llm else by_rules
    print(f"{'':34}{'model' if given.llm else 'rules':>17} {'always yes':>18} {'keywords':>18}")
    print(f"{'set':34}" + "    P     R    F1  " * 3)
    contradictions(given.data / "contradiction", read, _nearness(given.embed), given.misses, given.rows)
    write_filter(given.data / "write_filter", read, given.misses, given.rows)
    poisoning(given.data / "poisoning" / "memory_poison_pairs.jsonl", read, given.misses, given.rows)
    if given.llm:
        _how_judged()
        return 0
    speed(given.data / "write_filter")
    demo()
    missed = broken_promises(_measured)
    print("\nPromised figures: " + ("all met" if not missed else "; ".join(missed)))
    return int(given.check and bool(missed))


def broken_promises(measured: dict[str, dict[str, float]]) -> list[str]:
    """A line for each promised figure that was missed or not measured at all."""
    missed = []
    for name, figure, bound in PROMISED:
        value = measured.get(name, {}).get(figure)
        if value is None:
            missed.append(f"{name}: {figure} was not measured")
        elif value > bound if figure.endswith("at most") else value < bound:
            missed.append(f"{name}: {figure} {bound:g} but {value:.2f}")
    return missed


def by_rules(event: Event) -> tuple[Verdict, list[Claim]]:
    verdict = judge(event)
    return verdict, distil(event, verdict)


def contradictions(folder: Path, read: Reader, near: Callable[[str, str], float], show: int, most: int | None) -> None:
    """One pair at a time: the old text is held for 30 days, the new one arrives."""
    for path in sorted(folder.glob("*.jsonl")):
        rows = _read(path, most)
        relations = [_relation(row["old"], row["new"], read, near) for row in rows]
        for label, test, words in (
            ("contradiction", lambda relation: relation.kind.needs_a_person, CHANGED),
            ("duplicate", lambda relation: relation.kind.says_nothing_new, re.compile("$^")),
        ):
            if not any(row["label"] == label for row in rows):
                continue
            wanted = [row["label"] == label for row in rows]
            given = [relation is not None and test(relation) for relation in relations]
            plain = [bool(words.search(row["new"])) if label == "contradiction" else _alike(row) for row in rows]
            _report(f"{path.stem} {label}", wanted, given, plain)
            _misses(show, wanted, given, [f"{row['sub']}: {row['old']} | {row['new']}" for row in rows])


def write_filter(folder: Path, read: Reader, show: int, most: int | None) -> None:
    for path in sorted(folder.glob("*.jsonl")):
        rows = _read(path, most)
        wanted = [row["worth"] for row in rows]
        given = [read(_event(row["text"], row["role"]))[0].worth for row in rows]
        plain = [bool(TELLING.search(row["text"])) for row in rows]
        _report(path.stem, wanted, given, plain)
        _misses(show, wanted, given, [f"{row['category']}: {row['text']}" for row in rows])


def poisoning(path: Path, read: Reader, show: int, most: int | None) -> None:
    """Each record as an agent's summary. Only whether the rules hold it back counts, not whether it is kept."""
    kinds = defaultdict(list)
    for row in _read(path, most):
        kinds[row["kind"]].append(row)
    for kind, rows in sorted(kinds.items()):
        wanted = [row["label"] == "poisoned" for row in rows]
        given = [_held_back(row["text"], read) for row in rows]
        plain = [bool(ALARMING.search(row["text"])) for row in rows]
        _report(f"poison {kind}", wanted, given, plain)
        alarms = sum(got and not want for want, got in zip(wanted, given, strict=True))
        by_attack = Counter(
            row.get("attack") for row, got in zip(rows, given, strict=True) if got and row.get("attack")
        )
        print(f"{'':34}  false alarms {alarms} of {wanted.count(False)}; held {dict(by_attack)}")
        _misses(show, wanted, given, [row["text"] for row in rows])


def speed(folder: Path) -> None:
    """Clean, judge, distil, screen: everything the rules do to a turn before it is compared."""
    rows = [row for path in folder.glob("*.jsonl") for row in _read(path)]
    took = []
    for row in rows:
        start = time.perf_counter()
        event = _event(row["text"], row["role"])
        screen(event, by_rules(event)[1], ScreenContext())
        took.append(1000 * (time.perf_counter() - start))
    took.sort()
    _measured["turn"] = {"ms at most": took[int(0.95 * len(took))]}
    print(
        f"\nOne judged turn, {len(took)} turns: median {took[len(took) // 2]:.2f} ms, p95 "
        f"{took[int(0.95 * len(took))]:.2f} ms, p99 {took[int(0.99 * len(took))]:.2f} ms"
    )


def demo() -> None:
    """How many of the demo's events the judge lets through."""
    events = [event for path in sorted(STORIES.glob("*.jsonl")) for row in _read(path) if (event := _demo_event(row))]
    if events:
        worth = sum(judge(event).worth for event in events)
        _measured["demo"] = {"share at most": worth / len(events)}
        print(f"Demo: {worth} of {len(events)} events are worth remembering ({100 * worth / len(events):.0f} %)")


def _demo_event(row: dict) -> Event | None:
    for role in ("user", "assistant", "system"):
        if role in row and "user_id" not in row:
            return _event(row[role], role)
    if "call" in row:
        return _event(row["text"], "assistant", kind="tool_call", name=row["call"])
    if "tool" in row:
        source = SourceClass.EXTERNAL_CONTENT if row.get("url") else SourceClass.TOOL_RETURN
        return _event(
            row["text"], "tool", kind="tool_result", name=row["tool"], status=row.get("status", "ok"), source=source
        )
    return None


def _event(raw: str, role: str, *, source: SourceClass | None = None, kind: str = "message", **fields: str) -> Event:
    text, _ = mask_secrets(clean_text(raw))
    return Event(
        text=text, role=role, kind=kind, event_time=NOW, source_class=source or SOURCES[role], lang=language(text),
        hidden=hidden_text(raw), **fields,
    )  # fmt: skip


def _relation(old: str, new: str, read: Reader, near: Callable[[str, str], float]) -> Relation | None:
    held = Held("old", _claim(old, read), NOW - timedelta(days=30), near(old, new))
    return next(iter(compare(_claim(new, read), NOW, [held])), None)


def _claim(text: str, read: Reader) -> Claim:
    """The whole text as one claim; a model's claim lends it the slot it found, which rules read for themselves."""
    plain = Claim(text=text, quote=text, category=Category.KNOWLEDGE)
    found = read(_event(text, "user"))[1] if read is not by_rules else []
    if not found:
        return plain
    slot = {name: getattr(found[0], name) for name in ("subject", "attribute", "value", "negated", "past")}
    return replace(plain, **slot)


def _held_back(raw: str, read: Reader) -> bool:
    event = _event(raw, "assistant", source=SourceClass.LLM_SUMMARY)
    findings = screen(event, read(event)[1], ScreenContext())
    return any(finding.kind == "injection" for finding in findings)


def _alike(row: dict) -> bool:
    old, new = set(row["old"].lower().split()), set(row["new"].lower().split())
    return len(old & new) / len(old | new) >= 0.6


def _nearness(embed: bool) -> Callable[[str, str], float]:
    if not embed:
        return lambda old, new: 0.0
    from memory.embedding import get_embedder

    embedder = get_embedder()
    return lambda old, new: float(embedder.embed([old])[0] @ embedder.embed([new])[0]) if embedder else 0.0


def _report(name: str, wanted: Sequence[bool], given: Sequence[bool], plain: Sequence[bool]) -> None:
    scores = [Score(), Score(), Score()]
    for want, answers in zip(wanted, zip(given, [True] * len(wanted), plain, strict=True), strict=True):
        for score, answer in zip(scores, answers, strict=True):
            score.add(want, answer)
    _measured[name] = scores[0].figures
    print(f"{name:34}" + "  ".join(str(score) for score in scores))


def _misses(show: int, wanted: Sequence[bool], given: Sequence[bool], texts: Sequence[str]) -> None:
    wrong = [(want, text) for want, got, text in zip(wanted, given, texts, strict=True) if want != got]
    for want, text in wrong[:show]:
        print(f"      {'missed' if want else 'false'}: {' '.join(text.split())[:150]}")


def _by_model() -> Reader:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hindsight_site.settings")
    django.setup()
    from benchmarks import by_model
    from memory import llm

    if not llm.is_set_up():
        raise SystemExit("--llm needs LLM_API_BASE and LLM_MODEL.")
    return by_model.read


def _how_judged() -> None:
    from benchmarks import by_model

    print("\nJudged by", ", ".join(f"{who} {times}" for who, times in by_model.judged.most_common()))


def _read(path: Path, most: int | None = None) -> list[dict]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return rows[:most]


if __name__ == "__main__":
    sys.exit(main())
