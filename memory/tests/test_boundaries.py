"""Who may import whom: read from the source, so that a forgotten import fails here and not in a year."""

import ast
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def importers(package: str, *, under: str) -> list[str]:
    return sorted(
        str(path.relative_to(ROOT))
        for path in (ROOT / under).rglob("*.py")
        if "tests" not in path.parts and any(name.split(".")[0] == package for name in imports(path))
    )


def test_memory_never_imports_review():
    assert importers("review", under="memory") == []


def test_only_the_engines_import_their_clients():
    assert importers("qdrant_client", under="memory") == ["memory/index/qdrant.py", "memory/index/qdrant_schema.py"]
    assert importers("httpx", under="memory") == ["memory/model_server.py"]
    assert importers("redis", under="memory") in ([], ["memory/working/redis.py"])


def test_the_pure_steps_of_intake_know_no_database():
    impure = {"admit", "judges", "neighbours", "record", "rejudge", "run", "surroundings"}
    for path in (ROOT / "memory" / "intake").glob("*.py"):
        if path.stem not in impure:
            assert not [name for name in imports(path) if name.startswith(("django", "memory.models"))], path.name


def test_only_actions_write_memories_versions_and_conflicts():
    writers = ("save", "create", "update", "delete", "bulk_create", "bulk_update", "get_or_create", "update_or_create")
    guarded = {"Memory", "MemoryVersion", "Change", "Conflict", "Lesson", "Evidence"}
    # heat is not history: it is counted by a job and never versioned; what is erased has no history any more
    allowed = {ROOT / "memory" / "recall" / "heat.py", ROOT / "memory" / "erasure" / "rows.py"}
    found = []
    for path in [*(ROOT / "memory").rglob("*.py"), *(ROOT / "review").rglob("*.py")]:
        if "tests" in path.parts or "migrations" in path.parts or "actions" in path.parts or path in allowed:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in writers:
                names = {part.id for part in ast.walk(node.func.value) if isinstance(part, ast.Name)}
                if names & guarded:
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []
