import json
import sys

import pytest

from benchmarks import retrieval
from benchmarks.bm25_baseline import BaselineBM25
from benchmarks.retrieval_data import recall_at

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
