import json
import sys
from datetime import UTC, datetime

import numpy as np
import pytest

from benchmarks import retrieval
from benchmarks.bm25_baseline import BaselineBM25
from benchmarks.retrieval_check import verdicts
from benchmarks.retrieval_data import Query, RetrievalSet, half_of, load_sets, recall_at
from benchmarks.retrieval_fusion import FUSIONS, reciprocal_ranks, z_scores

DOCS = [
    {"doc_id": "a", "text": "The spare key is at Mrs Okafor's, flat 12", "speaker": "user"},
    {"doc_id": "b", "text": "我对青霉素过敏", "speaker": "user"},
    {"doc_id": "c", "text": "had noodles for lunch", "speaker": "Ada"},
]
QUERIES = [
    {"query_id": "1", "query": "where is the spare key?", "evidence_doc_ids": ["a"], "category": "fact"},
    {"query_id": "2", "query": "青霉素", "evidence_doc_ids": ["b"], "category": "adversarial"},
]
COMMON = {"user": "u1", "session": "s1", "timestamp": "2026-05-01"}


@pytest.fixture
def folder(tmp_path):
    for kind, rows in (("docs", DOCS), ("queries", QUERIES)):
        lines = [json.dumps(row | COMMON, ensure_ascii=False) for row in rows]
        (tmp_path / f"tiny.{kind}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_every_method_and_group_has_its_line(folder, monkeypatch, capsys):
    arguments = ["retrieval", "--data", str(folder), "--cache", str(folder / "cache"), "--categories", "--speakers"]
    monkeypatch.setattr(sys, "argv", arguments)
    retrieval.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "tiny: 3 claims of 1 people, 2 queries"
    methods = lines[2].split()[2:]
    assert {"bm25", "words", "full"} <= set(methods)
    rows = [line.rsplit(maxsplit=len(methods) + 1) for line in lines[3:7]]
    assert [row[0].strip() for row in rows] == ["all", "without adversarial", "adversarial", "fact"]
    assert all(row[methods.index("full") + 2] == "1.000" for row in rows)


@pytest.fixture
def check(folder, monkeypatch, capsys):
    """Runs --check over the tiny data under the name of a set that has promises: (exit code, its promises' lines)."""

    def run(name: str, *more: str) -> tuple[int, list[str]]:
        for kind in ("docs", "queries"):
            (folder / f"tiny.{kind}.jsonl").rename(folder / f"{name}.{kind}.jsonl")
        arguments = ["retrieval", "--data", str(folder), "--cache", str(folder / "cache"), "--check", *more]
        monkeypatch.setattr(sys, "argv", arguments)
        code = retrieval.main()
        lines = capsys.readouterr().out.splitlines()
        return code, [line.strip() for line in lines if line.endswith((": met", ": MISSED"))]

    return run


def test_the_check_fails_without_the_promised_gain(check):
    code, lines = check("madial_en", "--sets", "madial_en")
    assert code == 1
    assert lines[0] == "madial_en, all: full 1.000, bm25 1.000, gain +0.000; promised +0.06: MISSED"


def test_the_check_passes_with_the_promised_gain(check, monkeypatch):
    monkeypatch.setattr(BaselineBM25, "ranked", lambda self, query: [])
    code, lines = check("madial_en", "--sets", "madial_en")
    assert code == 0
    assert lines[0] == "madial_en, all: full 1.000, bm25 0.000, gain +1.000; promised +0.06: met"


def test_the_check_fails_when_the_rules_lose_to_plain_fusion():
    queries = [Query(str(number), "q", "u1", datetime.now(UTC), frozenset("a"), "") for number in range(100)]
    right = {query.id: ["a"] for query in queries}
    found = {"bm25": {}, "fused": right, "full": right | {"7": ["b"]}}
    [verdict] = verdicts("any_set", {"all": queries}, found)
    assert not verdict.met
    assert str(verdict) == "  any_set, all: full 0.990, fused 1.000, gain -0.010; promised -0.005: MISSED"
    [verdict] = verdicts("any_set", {"all": queries}, found | {"full": right})
    assert verdict.met
    assert verdicts("any_set", {"all": queries}, {"bm25": {}, "full": right}) == []


def test_a_blank_query_is_left_out(folder, monkeypatch):
    monkeypatch.setitem(QUERIES[0], "query", " ")
    lines = [json.dumps(row | COMMON) for row in QUERIES]
    (folder / "tiny.queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
    [data] = load_sets(folder, speakers=False)
    assert [query.id for query in data.queries] == ["2"]


def test_a_promise_without_its_data_is_missed(check):
    code, lines = check("locomo_en")
    assert code == 1
    assert "madial_zh, all: not measured: MISSED" in lines
    assert len([line for line in lines if "fused" not in line]) == 5


def test_the_halves_share_no_query_and_miss_none():
    queries = [Query(str(number), "", "u1", datetime.now(UTC), frozenset(), "") for number in range(100)]
    halves = [half_of(RetrievalSet("tiny", {}, queries), half).queries for half in (0, 1)]
    assert sorted(query.id for half in halves for query in half) == sorted(query.id for query in queries)
    assert min(map(len, halves)) > 30


def test_fusions_put_first_what_both_arms_find():
    dense = np.array([0.9, 0.8, np.nan, 0.1])
    lexical = np.array([0.0, 0.7, 0.8, 0.1])
    assert [int(np.argmax(fusion(dense, lexical))) for fusion in FUSIONS.values()] == [1, 1]
    assert reciprocal_ranks(dense, lexical)[2] == pytest.approx(1 / 61)
    assert z_scores(np.full(4, np.nan), np.zeros(4)).tolist() == [0] * 4


def test_a_folder_without_sets_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["retrieval", "--data", str(tmp_path), "--cache", str(tmp_path)])
    with pytest.raises(SystemExit, match="docs.jsonl"):
        retrieval.main()


def test_the_baseline_ranks_by_shared_words_in_both_languages():
    texts = [doc["text"] for doc in DOCS]
    assert BaselineBM25(texts).ranked("spare keys")[0] == 0
    assert BaselineBM25(texts).ranked("青霉素")[0] == 1
    assert BaselineBM25([]).ranked("anything") == []


def test_recall_is_the_share_of_the_evidence_found_in_time():
    assert recall_at(["a", "b", "c"], frozenset("bc"), 2) == 0.5
    assert recall_at([], frozenset("a"), 5) == 0
