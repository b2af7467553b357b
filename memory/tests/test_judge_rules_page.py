"""docs/rules.md and its Chinese page: every rule and reason a verdict can carry is explained, from the same tables."""

import pytest
from django.conf import settings

from memory.intake.judge_rules import RULES
from memory.management.commands.judge_rules import page
from memory.reasons import REASONS


def test_the_english_page_is_the_tables():
    name, text = page("en")
    written = (settings.BASE_DIR / "docs" / name).read_text(encoding="utf-8")
    assert written == text, "run: manage.py judge_rules"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_no_rule_and_no_reason_is_missing(language):
    written = (settings.BASE_DIR / "docs" / page(language)[0]).read_text(encoding="utf-8")
    for rule in RULES:
        assert f"| `{rule.id}` |" in written
    for code in REASONS:
        assert code.startswith("judge_") or f"| `{code}` |" in written


def test_the_chinese_page_explains_in_chinese():
    written = (settings.BASE_DIR / "docs" / page("zh-hans")[0]).read_text(encoding="utf-8")
    rows = [line for line in written.splitlines() if line.startswith("| `")]
    assert len(rows) > 80
    assert all(any("\u4e00" <= sign <= "\u9fff" for sign in row) for row in rows)
