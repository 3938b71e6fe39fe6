"""What the text of the code names in `backticks` exists: modules move, and what is said about them must move along."""

from __future__ import annotations

import ast
import importlib
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted(p for folder in ("tropviz", "pages") for p in (ROOT / folder).rglob("*.py"))
#: Backticked words with an underscore or a dot in them: names, not mathematics.
NAMED = re.compile(r"(?<![`\w])(`{1,2})([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z]\w*_\w+)\1(?!`)")
OURS = {"tropviz", *(p.name for p in (ROOT / "tropviz").iterdir() if p.is_dir())}


def words(path: Path) -> tuple[set[str], str]:
    """Identifiers and words of the strings that are no docstring, and all docstrings and comments."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    docs = {
        id(node.body[0].value): node.body[0].value.value
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
        and isinstance(node.body[0].value.value, str)
    }
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    known = {t.string for t in tokens if t.type == tokenize.NAME}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            known |= set(re.findall(r"\w+", node.value))
    comments = [t.string for t in tokens if t.type == tokenize.COMMENT]
    return known, "\n".join([*docs.values(), *comments])


WORDS = {path: words(path) for path in FILES}
KNOWN = set().union(*(known for known, _ in WORDS.values())) | {p.stem for p in FILES}


def exists(name: str) -> bool:
    """Whether a dotted name of this project, with or without `tropviz.` before it, is a module or something in one."""
    parts = name.removeprefix("tropviz.").split(".")
    for n in range(len(parts), -1, -1):
        try:
            thing = importlib.import_module(".".join(["tropviz", *parts[:n]]))
        except ModuleNotFoundError:
            continue
        for part in parts[n:]:
            if not hasattr(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return False


def gone(text: str) -> list[str]:
    """The names in a text that are nowhere."""
    names = {m[2] for m in NAMED.finditer(text)}
    ours = {n for n in names if "." in n and n.split(".")[0] in OURS}
    return sorted({n for n in ours if not exists(n)} | {n for n in names if "." not in n and n not in KNOWN})


def test_what_is_gone_is_found():
    assert gone("see `fan_walk`, `core.turn.ring` and ``figures.plane.nothing``") == [
        *("core.turn.ring", "fan_walk", "figures.plane.nothing")
    ]
    assert gone("see `core.planar.locate`, `plane_figure`, `numpy.savez` and `W`") == []


def test_names_in_docstrings_and_comments_exist():
    wrong = {str(path.relative_to(ROOT)): gone(text) for path, (_, text) in WORDS.items()}
    assert {path: names for path, names in wrong.items() if names} == {}
