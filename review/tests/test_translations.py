"""Every text of the console is there in Chinese, with its placeholders, and the compiled catalogue is up to date."""

import gettext
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

LOCALE = settings.BASE_DIR / "locale" / "zh_Hans" / "LC_MESSAGES"
STRING = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
ENTRY = re.compile(rf"^msgid {STRING}(?:msgid_plural {STRING})?((?:msgstr(?:\[\d\])? {STRING})+)", re.MULTILINE)
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}|</?\w+>")


def entries(text: str) -> dict[str, tuple[str, str]]:
    """{msgid: (plural or msgid, first msgstr)} of a catalogue, without its head."""
    found = {}
    for match in ENTRY.finditer(text):
        msgid, plural, answers = unquoted(match[1]), unquoted(match[2] or ""), match[3]
        found[msgid] = (plural or msgid, unquoted(re.search(STRING, answers)[0]))
    found.pop("", None)
    return found


def compiled(path: Path) -> dict:
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)._catalog


def unquoted(text: str) -> str:
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace('\\"', '"').replace("\\n", "\n")


@pytest.fixture(scope="module")
def chinese():
    return (LOCALE / "django.po").read_text()


def test_nothing_is_fuzzy_or_empty(chinese):
    assert "#, fuzzy" not in chinese
    assert [msgid for msgid, (_plural, text) in entries(chinese).items() if not text] == []


def test_placeholders_are_the_same(chinese):
    wrong = [
        msgid
        for msgid, (plural, text) in entries(chinese).items()
        if sorted(PLACEHOLDER.findall(text)) != sorted(PLACEHOLDER.findall(plural))
    ]
    assert wrong == []


def test_every_text_of_the_source_is_in_the_catalogue(chinese, tmp_path):
    """Extracts the texts anew into a copy of the tree, so that the catalogue itself is not touched."""
    tree = tmp_path / "tree"
    for name in ("hindsight_site", "memory", "review", "templates", "locale", "manage.py"):
        source = settings.BASE_DIR / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__", "tests"))
        else:
            shutil.copy(source, tree / name)
    command = [sys.executable, "manage.py", "makemessages", "-l", "zh_Hans", "--no-obsolete", "--no-wrap", "-v0"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "hindsight_site.settings", "CONSOLE_DATA_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    extracted = entries((tree / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po").read_text())
    assert sorted(set(extracted) - set(entries(chinese))) == []
    assert sorted(set(entries(chinese)) - set(extracted)) == []


def test_the_compiled_catalogue_is_the_present_one(chinese, tmp_path):
    made = tmp_path / "django.mo"
    subprocess.run(["msgfmt", "-o", str(made), str(LOCALE / "django.po")], check=True)
    assert compiled(made) == compiled(LOCALE / "django.mo")


def test_pages_come_in_the_chosen_language(desk, make_conflict):
    make_conflict("我住在莱比锡", "我住在格拉茨")
    client = desk("ada")
    client.post("/preferences/language/", {"language": "zh-hans", "next": "/"})
    content = client.get("/review/").content.decode()
    assert '<html lang="zh-hans"' in content and "审核" in content and "现有记忆" in content


def test_a_reason_comes_in_the_chosen_language():
    from memory.reasons import render

    with translation.override("zh-hans"):
        assert (
            render("value_changed", {"held": "莱比锡", "new": "格拉茨"}) == "现有记忆：莱比锡。较新的说法是：格拉茨。"
        )
