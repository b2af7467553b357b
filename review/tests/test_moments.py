"""How a page writes a moment: in words of the reader's zone, for programs in UTC, and whole inside a sentence."""

import re
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils import timezone, translation

LATE = datetime(2026, 5, 4, 22, 30, tzinfo=UTC)


def shown(text: str, **values) -> str:
    return Template(text).render(Context(values))


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ("{{ at|moment }}", LATE, '<time datetime="2026-05-04T22:30:00+00:00">May 5, 2026, 6:30 a.m.</time>'),
        ('{{ at|moment:"H:i" }}', LATE, '<time datetime="2026-05-04T22:30:00+00:00">06:30</time>'),
        ('{{ at|moment:"DATE_FORMAT" }}', date(2026, 5, 4), '<time datetime="2026-05-04">May 4, 2026</time>'),
        ("{{ at|moment }}", None, ""),
    ],
)
def test_a_moment_is_told_in_the_readers_zone_and_to_programs_in_utc(text, value, said):
    with timezone.override(ZoneInfo("Asia/Shanghai")):
        assert shown(text, at=value) == said


def test_it_stands_in_a_chinese_sentence_unescaped_while_the_name_beside_it_is_escaped():
    sentence = (
        "{% load i18n %}{% blocktranslate with who=who until=at|moment:'H:i' %}"
        "{{ who }}, until {{ until }}{% endblocktranslate %}"
    )
    with translation.override("zh-hans"):
        said = shown(sentence, who="<b>", at=LATE)
    assert (
        '<time datetime="2026-05-04T22:30:00+00:00">22:30</time>' in said
        and "&lt;b&gt;" in said
        and "until" not in said
    )


def test_no_page_writes_a_moment_that_programs_cannot_read():
    # an axis, a tooltip and a form's field take text alone; `_due` and the archive say how long ago inside a <time>
    plain = re.compile(r"<text[^>]*>.*?</text>|<title>.*?</title>|<input[^>]*>|<time.*?</time>", re.DOTALL)
    pages = Path(settings.BASE_DIR / "templates").rglob("*.html")
    left = [page.name for page in pages if re.search(r"\|(date|time):", plain.sub("", page.read_text()))]
    assert left == []
