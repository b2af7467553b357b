"""A database of the size at which a missing index hurts, made by PostgreSQL itself within minutes.

One person in ten rows, one workspace with most of the people, nearly everything judged and decided: as it is after a
few years, and as makes it tempting for the planner to read a table from end to end.
"""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection, models

USERS, WORKSPACES, SESSIONS_OF_A_USER = 1000, 20, 20
# The person and the workspace with the most rows.
HEAVY_USER, HEAVY_WORKSPACE = 1, 1
# One of the many, in the same workspace.
USUAL_USER = 521
SAID = "'I moved the stand-up to a quarter past nine, because the train is less full by then (' || n || ')'"
DAYS = 400


@dataclass(frozen=True, slots=True)
class Sizes:
    """Rows of each kind; what hangs on them (sessions, versions, evidence, hits, decisions) follows."""

    episodes: int

    @property
    def verdicts(self) -> int:
        return self.episodes // 5

    @property
    def memories(self) -> int:
        return self.episodes // 20

    @property
    def conflicts(self) -> int:
        return self.episodes // 10

    @property
    def open_conflicts(self) -> int:
        return self.episodes // 200

    @property
    def recalls(self) -> int:
        return self.episodes // 10

    @property
    def audit(self) -> int:
        return self.episodes // 5


def fill(sizes: Sizes) -> None:
    """Fills empty tables and counts them, so that plans are made as in a database that has been running."""
    _people()
    _episodes(sizes.episodes)
    _memories(sizes)
    _conflicts(sizes)
    _verdicts(sizes)
    _recalls(sizes)
    _rows(
        "AuditEvent", f"generate_series(0, {sizes.audit - 1}) n",
        id="n + 1", workspace_id=_workspace_of(_user("n")), at=_moment("n", sizes.audit),
        actor_kind="'agent'", actor_label="'bench'", action="'memory.remember'", object_type="'memory'",
        object_id=_uuid("m", f"mod(n, {sizes.memories})") + "::text",
    )  # fmt: skip
    with connection.cursor() as cursor:
        # bare ANALYZE: also the visibility map, without which no count is answered by an index alone
        cursor.execute("VACUUM ANALYZE")


def _people() -> None:
    sessions = USERS * SESSIONS_OF_A_USER
    _rows(
        "Workspace", f"generate_series(2, {WORKSPACES}) n",  # the first is there since the migrations
        id="n", slug="'bench-' || n", name="'Bench ' || n", created_at="now()",
    )  # fmt: skip
    _rows(
        "EndUser", f"generate_series(1, {USERS}) n",
        id="n", workspace_id=_workspace_of("n"), external_id="'user-' || n", created_at="now()",
    )  # fmt: skip
    _rows(
        "Session", f"generate_series(0, {sessions - 1}) n JOIN memory_enduser u ON u.id = 1 + mod(n, {USERS})",
        id=_session("u.id", f"n / {USERS}"), workspace_id="u.workspace_id", user_id="u.id",
        run_id=f"'run-' || n / {USERS}", started_at=_moment("n", sessions), last_event_at=_moment("n", sessions),
    )  # fmt: skip


def _episodes(count: int) -> None:
    turn = f"n / {SESSIONS_OF_A_USER}"  # else a session would have one role alone
    _rows(
        "Episode", _of_users(count),
        id="n + 1", workspace_id="u.workspace_id", user_id="u.id", session_id=_session("u.id", "n"),
        kind=f"CASE mod({turn}, 10) WHEN 9 THEN 'tool_result' ELSE 'message' END",
        role=f"CASE mod({turn}, 10) WHEN 9 THEN 'tool' ELSE (ARRAY['user', 'assistant'])[1 + mod({turn}, 2)] END",
        status="CASE WHEN mod(n, 97) = 0 THEN 'error' ELSE 'ok' END", source_class="'user_input'", content=SAID,
        event_time=_moment("n", count), recorded_at=_moment("n", count),
        judging=f"CASE WHEN n >= {count} - {count} / 1000 THEN 'pending' WHEN mod(n, 50021) = 7 THEN 'parked' "
        "ELSE 'judged' END",
        judged_at=_moment("n", count),
    )  # fmt: skip


def _memories(sizes: Sizes) -> None:
    count = sizes.memories
    claim = {
        "text": SAID, "category": "(ARRAY['profile', 'preference', 'knowledge'])[1 + mod(n, 3)]",
        "source_class": "'user_input'", "credibility": "0.9", "event_time": _moment("n", count),
        "created_at": _moment("n", count),
    }  # fmt: skip
    place = {"workspace_id": "u.workspace_id", "user_id": "u.id"}
    status = "CASE WHEN mod(n, 10) = 3 THEN 'superseded' WHEN mod(n, 25) = 7 THEN 'retracted' ELSE 'active' END"
    _rows(
        "Change", _of_users(count), **place,
        id="n + 1", kind="'remember'", actor_kind="'agent'", actor_label="'bench'", created_at=_moment("n", count),
    )  # fmt: skip
    _rows(
        "Memory", _of_users(count), **claim, **place,
        id=_uuid("m", "n"), fingerprint="md5('m' || n)", status=status, session_id=_session("u.id", "n"),
        subject="'user'", attribute="'habit-' || mod(n, 50)", updated_at=_moment("n", count),
    )  # fmt: skip
    _rows(
        "MemoryVersion", _of_users(count), **claim,
        id="n + 1", memory_id=_uuid("m", "n"), number="1", change_id="n + 1", status=status,
    )  # fmt: skip
    _rows(
        "Evidence", f"{_of_users(count)}, generate_series(0, 1) twice",
        id="2 * n + twice + 1", workspace_id="u.workspace_id", memory_id=_uuid("m", "n"),
        episode_id=f"1 + mod(n * 20 + twice, {sizes.episodes})", quote=SAID, source_class="'user_input'",
        origin="'session:' || " + _session("u.id", "n + twice"), created_at=_moment("n", count),
    )  # fmt: skip
    model_id, vector = _vector()
    _rows(
        "IndexEntry", "memory_memory m WHERE m.status = 'active'",
        memory_id="m.id", workspace_id="m.workspace_id", user_id="m.user_id", version="1",
        terms="'move stand quarter past nine train less full ' || m.attribute", model_id=model_id, vector=vector,
    )  # fmt: skip


def _vector() -> tuple[str, str]:
    from memory import embedding

    embedder = embedding.get_embedder()
    if embedder is None:
        return "''", "NULL"
    return f"'{embedder.model_id}'", f"decode(repeat('0000803d', {embedder.size}), 'hex')"


def _conflicts(sizes: Sizes) -> None:
    count, opened = sizes.conflicts, sizes.open_conflicts
    is_open = f"n >= {count - opened}"
    _rows(
        "Conflict", f"{_of_users(count)} JOIN memory_memory m ON m.id = {_uuid('m', f'mod(n, {sizes.memories})')}",
        id=_uuid("c", "n"), workspace_id="m.workspace_id", user_id="m.user_id", memory_id="m.id",
        kind="(ARRAY['contradiction', 'misreport', 'injection', 'repeat', 'identity', 'flood'])[1 + mod(n, 6)]",
        status=f"CASE WHEN {is_open} THEN 'open' ELSE 'decided' END", episode_id=f"1 + mod(n * 10, {sizes.episodes})",
        text=SAID, fingerprint="md5('c' || n)", category="'profile'", source_class="'user_input'", credibility="0.8",
        event_time=_moment("n", count), reason_code="'value_changed'", band="1 + mod(n, 3)",
        due_at=_moment("n", count) + " + interval '3 days'", opened_at=_moment("n", count),
        choice=f"CASE WHEN {is_open} THEN '' ELSE 'keep' END",
        decided_at=f"CASE WHEN {is_open} THEN NULL ELSE {_moment('n', count)} END",
    )  # fmt: skip
    _rows(
        "Evidence", f"generate_series(0, {count - 1}) n JOIN memory_conflict c ON c.id = {_uuid('c', 'n')}",
        id=f"{2 * sizes.memories} + n + 1", workspace_id="c.workspace_id", conflict_id="c.id",
        episode_id="c.episode_id", quote="c.text", source_class="'user_input'", origin="'session:' || n",
        created_at="c.opened_at",
    )  # fmt: skip
    _rows(
        "review.Decision", f"generate_series(0, {count - opened - 1}) n",
        id="n + 1", conflict_id=_uuid("c", "n"), choice="'keep'", reason_code="'mistaken'",
        decided_at=_moment("n", count), conflict_version="1", incoming_text=SAID,
    )  # fmt: skip


def _verdicts(sizes: Sizes) -> None:
    outcome = "(ARRAY['ADD', 'REJECTED', 'REJECTED', 'DUPLICATE', 'REJECTED', 'QUEUED'])[1 + mod(n, 6)]"
    reason = "(ARRAY['greeting', 'question', 'hypothetical', 'echo', 'nothing_new'])[1 + mod(n, 5)]"
    _rows(
        "Verdict", f"generate_series(0, {sizes.verdicts - 1}) n JOIN memory_episode e ON e.id = 1 + n * 5 "
        "WHERE e.judging = 'judged'",
        id="n + 1", workspace_id="e.workspace_id", user_id="e.user_id", episode_id="e.id", outcome=outcome,
        text="e.content", reason_code=reason,
        memory_id=f"CASE WHEN {outcome} = 'ADD' THEN {_uuid('m', f'mod(n, {sizes.memories})')} END",
        created_at="e.recorded_at",
    )  # fmt: skip


def _recalls(sizes: Sizes) -> None:
    count = sizes.recalls
    _rows(
        "Recall", _of_users(count),
        id=_uuid("r", "n"), workspace_id="u.workspace_id", user_id="u.id", session_id=_session("u.id", "n"),
        asked_by="'bench'", query="'when is the stand-up'", created_at=_moment("n", count),
        degraded="CASE WHEN mod(n, 200) = 0 THEN '[\"no_embedder\"]' ELSE '[]' END::jsonb",
        folded=f"n < {count} - {count} / 1000",
    )  # fmt: skip
    _rows(
        "RecallHit", f"generate_series(0, {2 * count - 1}) n",
        id="n + 1", recall_id=_uuid("r", "n / 2"), memory_id=_uuid("m", f"mod(n * 13, {sizes.memories})"), version="1",
        rank="1 + mod(n, 2)", score="0.5",
    )  # fmt: skip


def _of_users(count: int) -> str:
    return f"generate_series(0, {count - 1}) n JOIN memory_enduser u ON u.id = {_user('n')}"


def _user(n: str) -> str:
    """The user of the n-th row: the first of 1,000 has a tenth of all rows, the last half of them a fifth."""
    return f"1 + floor({USERS} * power(mod({n}::bigint * 7919, 1000003) / 1000003.0, 3))::int"


def _workspace_of(user: str) -> str:
    """The user's workspace; the first has two thirds of the users."""
    return f"1 + floor({WORKSPACES} * power(mod(({user}) * 31, 1009) / 1009.0, 7))::int"


def _session(user: str, n: str) -> str:
    return f"(({user}) - 1) * {SESSIONS_OF_A_USER} + 1 + mod({n}, {SESSIONS_OF_A_USER})"


def _moment(n: str, count: int) -> str:
    """Evenly over the last DAYS days, the last row a moment ago."""
    return f"(now() - interval '{DAYS} days' * ({count} - {n}) / {count})"


def _uuid(kind: str, n: str) -> str:
    return f"md5('{kind}' || {n})::uuid"


def _rows(model: str, source: str, **columns: str) -> None:
    """One INSERT of what the server makes: SQL for these columns, the model's own default for every other."""
    found: type[models.Model] = apps.get_model(model if "." in model else f"memory.{model}")
    names, values, params = [], [], []
    for field in found._meta.concrete_fields:
        names.append(f'"{field.column}"')
        if field.column in columns:
            values.append(columns.pop(field.column))
        elif field.null:
            values.append("NULL")
        else:
            values.append("%s")
            params.append(_default(field))
    assert not columns, f"{model} has no {', '.join(columns)}"
    table = found._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f'INSERT INTO "{table}" ({", ".join(names)}) SELECT {", ".join(values)} FROM {source}', params)
        if found._meta.pk.get_internal_type() == "BigAutoField":
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM \"{table}\"")


def _default(field: models.Field) -> Any:
    return field.get_db_prep_save(field.get_default(), connection)
