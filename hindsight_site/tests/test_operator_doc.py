"""The operator's pages name every variable the code reads, and none it does not."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

ROW = re.compile(r"^\| (`[^|]*`) \|", re.MULTILINE)
CODE = ("hindsight_site", "memory", "review")


def read_by_code() -> set[str]:
    """Every name that is given to an env_… function of hindsight_site/env.py, itself or by a loop over names."""
    return {
        name
        for folder in CODE
        for path in (settings.BASE_DIR / folder).rglob("*.py")
        if "tests" not in path.parts
        for name in _names(path)
    }


def _names(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    looped = {
        node.target.id: [item.value for item in node.iter.elts if isinstance(item, ast.Constant)]
        for node in ast.walk(tree)
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Tuple)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "").startswith("env_"):
            match node.args[0]:
                case ast.Constant(value=name):
                    yield name
                case ast.Name(id=variable):
                    # the helpers hand on the name they were given
                    yield from looped.get(variable, ())


@pytest.mark.parametrize("page", ["operator.md", "operator.zh-CN.md"])
def test_the_table_is_what_the_code_reads(page):
    text = (settings.BASE_DIR / "docs" / page).read_text(encoding="utf-8")
    told = {name for row in ROW.findall(text) for name in re.findall(r"`(\w+)`", row)}
    assert told == read_by_code()
