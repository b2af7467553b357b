"""The operator's pages name every variable the code reads, and none it does not."""

import re

import pytest
from django.conf import settings

READ = re.compile(r"""env_\w+\(\s*["'](\w+)["']""")
ROW = re.compile(r"^\| (`[^|]*`) \|", re.MULTILINE)


def read_by_code() -> set[str]:
    names = set()
    for path in (settings.BASE_DIR / "hindsight_site").glob("*.py"):
        names |= set(READ.findall(path.read_text(encoding="utf-8")))
    loop = re.search(
        r"for _later in \(([^)]*)\)", (settings.BASE_DIR / "hindsight_site/settings.py").read_text("utf-8")
    )
    return names | set(re.findall(r'"(\w+)"', loop[1] if loop else ""))


@pytest.mark.parametrize("page", ["operator.md", "operator.zh-CN.md"])
def test_the_table_is_what_the_code_reads(page):
    text = (settings.BASE_DIR / "docs" / page).read_text(encoding="utf-8")
    told = {name for row in ROW.findall(text) for name in re.findall(r"`(\w+)`", row)}
    assert told == read_by_code()
