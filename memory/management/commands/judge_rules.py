"""`manage.py judge_rules`: the page of all rules, docs/rules.md and its Chinese twin, from the judge's tables."""

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation

from memory.intake.judge_rules import EVENT_RULES, RULES
from memory.reasons import REASONS

# language -> file, title, other page, introduction, the four sections, the heads of the two tables, kept and left out
PAGES = {
    "en": (
        "rules.md", "The rules of the judge", "[中文](rules.zh-CN.md)",
        "Made by `manage.py judge_rules` from the tables in the code; do not edit. The first rule that fits decides, "
        "and\nthe verdict names it: a reviewer sees the id and this explanation.",
        ("Is a whole event worth remembering?", "Is a sentence worth remembering?",
         "How does a claim stand to what is held, and what became of it?", "Advice, screens and credibility"),
        ("rule", "explanation", "becomes a memory"), ("reason", "explanation"), ("yes", "no"),
    ),
    "zh-hans": (
        "rules.zh-CN.md", "判断规则一览", "[English](rules.md)",
        "本页由 `manage.py judge_rules` 根据代码中的规则表生成，请勿手工修改。按顺序第一条符合的规则作数，"
        "判断结果里会写明\n规则名：审核员能看到规则名和这里的说明。",
        ("整条事件值得记住吗？", "一句话值得记住吗？", "新说法与已有记忆是什么关系，结果如何？", "建议、筛查与可信度"),
        ("规则", "说明", "会成为记忆"), ("理由", "说明"), ("是", "否"),
    ),
}  # fmt: skip
_OTHERS = ("advice_", "screen_", "credibility_")


class Command(BaseCommand):
    help = "Writes docs/rules.md and docs/rules.zh-CN.md from the tables of rules and reasons."

    def handle(self, **options):
        for language in PAGES:
            name, text = page(language)
            (settings.BASE_DIR / "docs" / name).write_text(text, encoding="utf-8")
            self.stdout.write(f"docs/{name}")


def page(language: str) -> tuple[str, str]:
    """(file name, Markdown) of the page in one of the languages of PAGES."""
    name, title, other, intro, sections, rule_head, reason_head, kept = PAGES[language]
    with translation.override(language):
        rules = [(rule.id, str(REASONS[rule.reason]), kept[0] if rule.worth else kept[1]) for rule in RULES]
        reasons = [(code, str(sentence)) for code, sentence in REASONS.items() if not code.startswith("judge_")]
    tables = (
        _table(rule_head, rules[: len(EVENT_RULES)]),
        _table(rule_head, rules[len(EVENT_RULES) :]),
        _table(reason_head, [row for row in reasons if not row[0].startswith(_OTHERS)]),
        _table(reason_head, [row for row in reasons if row[0].startswith(_OTHERS)]),
    )
    body = "\n\n".join(f"## {section}\n\n{table}" for section, table in zip(sections, tables, strict=True))
    return (
        name,
        f"# {title}\n\n{other} · [README](../README{'' if language == 'en' else '.zh-CN'}.md)\n\n{intro}\n\n{body}\n",
    )


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += [f"| `{id_}` | " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for id_, *cells in rows]
    return "\n".join(lines)
