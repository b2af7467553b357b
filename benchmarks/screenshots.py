"""Draws every page of the console with the demo's memories, in both languages: docs/img/pages, listed in docs/pages.md.

    python -m benchmarks.screenshots [--only queue,conflict] [--width 1280] [--out docs]

It starts the product on a data directory of its own. English pages are light and Chinese ones dark, so that both themes
are seen. Needs requirements-dev.txt and Debian's chromium with a font for Chinese (fonts-noto-cjk).
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from playwright.sync_api import Page, sync_playwright

from benchmarks.server import ROOT, environment, free_port, servers

CHROMIUM = "/usr/bin/chromium"
UUID = r"[0-9a-f-]{36}"
LANGUAGES = {"en": ("light", "", "en-US"), "zh-hans": ("dark", ".zh-CN", "zh-CN")}
HEADS = {
    "en": "# The pages\n\nWith the memories of `make demo`. `make screenshots` draws them anew.\n",
    "zh-hans": "# 页面一览\n\n使用 `make demo` 的记忆。`make screenshots` 重新生成。\n",
}


@dataclass(frozen=True, slots=True)
class Shot:
    """A page: its file's name, where it begins, the links that are followed from there (each the first that fits),
    and the button that is pressed in the end."""

    name: str
    path: str
    follow: tuple[str, ...] = ()
    press: str = ""


SHOTS = (
    Shot("dashboard", "/"),
    Shot("queue", "/review/"),
    Shot("conflict", "/review/?kind=contradiction", (rf"/review/{UUID}/",)),
    Shot("held-back", "/review/?kind=injection", (rf"/review/{UUID}/",)),
    Shot("decided", "/review/?status=decided"),
    Shot("quality", "/quality/"),
    Shot("second-look", "/quality/second-look/"),
    Shot("rules", "/rules/"),
    Shot("people", "/people/"),
    Shot("person", "/people/", (r"/people/\d+/",)),
    Shot("as-of", "/people/", (r"/people/\d+/", r"/people/\d+/as-of/")),
    Shot("graph", "/people/", (r"/people/\d+/", r"/people/\d+/graph/")),
    Shot("memory", "/people/", (r"/people/\d+/", rf"/memories/{UUID}/")),
    Shot("erase", "/people/", (r"/people/\d+/", r"/people/\d+/erase/")),
    Shot("lab", "/recalls/", (rf"/recalls/{UUID}/", rf"/lab/\?.*recall={UUID}")),
    Shot("recalls", "/recalls/"),
    Shot("recall", "/recalls/", (rf"/recalls/{UUID}/",)),
    Shot("stale", "/stale/"),
    Shot("archive", "/archive/"),
    Shot("credibility", "/credibility/"),
    Shot("health", "/memory-health/"),
    Shot("intake", "/intake/"),
    Shot("changes", "/changes/"),
    Shot("change", "/changes/", (r"/changes/\d+/",)),
    Shot("rollback", "/changes/", (r"/changes/\d+/",), press='form[action="/changes/rollback/"] button'),
    Shot("audit", "/audit/"),
    Shot("audit-event", "/audit/", (r"/audit/\d+/",)),
    Shot("erasures", "/erasures/"),
    Shot("defence", "/settings/defence/"),
    Shot("ranking", "/settings/ranking/"),
    Shot("reviewing", "/settings/reviewing/"),
    Shot("retention", "/settings/retention/"),
    Shot("notices", "/settings/notices/"),
    Shot("webhook", "/settings/notices/", press='form[action="/settings/notices/new/"] button'),
    Shot("keys", "/settings/keys/"),
    Shot("preferences", "/preferences/"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names of pages, separated by commas; the list is left as it is")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--out", type=Path, default=ROOT / "docs")
    given = parser.parse_args()
    only = set(filter(None, given.only.split(",")))
    if unknown := only - {shot.name for shot in SHOTS}:
        parser.error(f"no such pages: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        os.environ.update(environment(folder, port))
        subprocess.run([sys.executable, "manage.py", "prepare"], cwd=ROOT, check=True)
        name, password = (Path(folder) / "first-login.txt").read_text().split()[1::2]
        with servers(port, Path(folder) / "log"), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for language, (theme, suffix, locale) in LANGUAGES.items():
                context = browser.new_context(
                    base_url=f"http://127.0.0.1:{port}", locale=locale, color_scheme=theme,
                    viewport={"width": given.width, "height": 900},
                )  # fmt: skip
                page = context.new_page()
                _sign_in(page, name, password)
                titles = dict(_draw(page, only, given.out / "img" / "pages", suffix))
                if not only:
                    _list(given.out / f"pages{suffix}.md", language, titles, suffix)
                context.close()


def _sign_in(page: Page, name: str, password: str) -> None:
    page.goto("/login/")
    page.fill("#id_username", name)
    page.fill("#id_password", password)
    page.press("#id_password", "Enter")
    page.wait_for_load_state("networkidle")


def _draw(page: Page, only: set[str], folder: Path, suffix: str) -> Iterator[tuple[str, str]]:
    """(name, heading) of each page that is drawn; one that the demo does not lead to stops the command."""
    folder.mkdir(parents=True, exist_ok=True)
    for shot in SHOTS:
        if only and shot.name not in only:
            continue
        answer = page.goto(shot.path)
        for link in shot.follow:
            answer = page.goto(_first_link(page, link))
        if answer is None or not answer.ok:
            raise SystemExit(f"{shot.name}: {page.url} answered {answer and answer.status}")
        if shot.press:
            for field in page.locator("input[type=url]").all():
                field.fill("https://hooks.example.com/console")
            with page.expect_navigation():
                page.locator(shot.press).first.click()
        page.wait_for_load_state("networkidle")
        page.screenshot(path=folder / f"{shot.name}{suffix}.jpg", type="jpeg", quality=60)
        print(f"{shot.name}{suffix}: {page.url}", flush=True)
        yield shot.name, page.locator("h1").first.inner_text().strip()


def _first_link(page: Page, pattern: str) -> str:
    for link in page.locator("main a[href]").evaluate_all("links => links.map(link => link.getAttribute('href'))"):
        address = urljoin(page.url, link).removeprefix(re.match(r"https?://[^/]+", page.url)[0])
        if re.fullmatch(rf"{pattern}(\?.*)?", address):
            return address
    raise SystemExit(f"No link on {page.url} fits {pattern}.")


def _list(path: Path, language: str, titles: dict[str, str], suffix: str) -> None:
    parts = [HEADS[language]]
    parts += [f"## {title}\n\n![{title}](img/pages/{name}{suffix}.jpg)\n" for name, title in titles.items()]
    path.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
