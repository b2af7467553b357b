"""Every page of the menu is drawn, and docs/pages.md shows what is drawn."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from benchmarks.screenshots import SHOTS
from review.nav import MENU

DOCS = Path(settings.BASE_DIR) / "docs"


def test_every_page_of_the_menu_is_drawn():
    drawn = {shot.path.partition("?")[0] for shot in SHOTS}
    missing = {reverse(entry.url) for _heading, entries in MENU for entry in entries} - drawn
    # the laboratory is drawn with a question in it
    assert missing <= {reverse("lab")}


@pytest.mark.parametrize("suffix", ["", ".zh-CN"])
def test_the_list_shows_every_drawing_and_no_other(suffix):
    shown = re.findall(r"\(img/pages/([^)]+)\)", (DOCS / f"pages{suffix}.md").read_text(encoding="utf-8"))
    assert shown == [f"{shot.name}{suffix}.jpg" for shot in SHOTS]
    assert all((DOCS / "img" / "pages" / name).stat().st_size > 5000 for name in shown)
