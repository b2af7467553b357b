"""How recall's figures are shown: parts of a score as columns and bars, arms and stages by their labels."""

from dataclasses import asdict, is_dataclass
from typing import Any

from django import template

from review.labels import PARTS, arm_label, stage_label

register = template.Library()
register.filter("arm", arm_label)
register.filter("stage", stage_label)


@register.filter
def parts(score: Any) -> dict[str, Any]:
    """A score, stored or fresh, as {"arms": [(label, value)], "parts": [(name, label, value)]}."""
    given = _given(score)
    arms = [(arm_label(name), value) for name, value in given.items() if name not in PARTS]
    named = [(name, label, given.get(name)) for name, label in PARTS.items() if name in given]
    return {"arms": arms, "parts": named}


@register.inclusion_tag("review/_score_bar.html")
def score_bar(score: Any, most: float = 0) -> dict[str, Any]:
    """The total as a bar of its addends, in hundredths of `most`; at least 1 is the whole width."""
    given = _given(score)
    total = given.get("total") or 0
    bonuses = [given.get("session_bonus") or 0, given.get("period_bonus") or 0]
    scale = 100 / max(most, total, 1)
    widths = [max(total - sum(bonuses), 0) * scale, *(bonus * scale for bonus in bonuses)]
    starts = [sum(widths[:place]) for place in range(len(widths))]
    kinds = ("known", "added", "queued")
    bars = [(kind, f"{at:.2f}", f"{width:.2f}") for kind, at, width in zip(kinds, starts, widths, strict=True)]
    return {"bars": [bar for bar in bars if bar[2] != "0.00"], "total": total}


def _given(score: Any) -> dict[str, Any]:
    return asdict(score) if is_dataclass(score) else dict(score or {})
