"""Every text of ours, as it stands in the sources: what the catalogues must hold.

- Python: the templates of `say`, `plural` and `phrase`; label, help and choices of a `Row` of the scene's table; label
  and meaning of a lesson's `Number`; what a `Count` says of itself, here and in the core, whose values become ``{0}``,
  ``{1}``.
- Scripts: the texts of `spoken`.
- Files of texts: lessons, glossary, About, claims, presets, published shapes.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tropviz.io.text import blocks

#: Tables of texts that are said where they are shown.
_SHOWN = {"tropviz/core/gates/gate.py": ("KINDS",), "tropviz/report/page.py": ("LINES",)}
#: What the core calls its remedies, and what they make worse.
_WORDS = (
    *("as it is", "centring", "shared expert", "bias", "balancing", "W x + b, b balances the loads"),
    *("saturation", "effective sets", "load imbalance", "unbounded", "max({0}), {1} terms"),
)
#: Which arguments of a call are texts, by position and by name.
_CALLS: dict[str, dict[int | str, int]] = {
    "say": {0: 0},
    "phrase": {0: 0},
    "Row": {3: 0, 4: 0, "label": 0, "help": 0, "choices": 0},
    "Number": {0: 0, 1: 0},
    "Count": {2: 0, 3: 0, "method": 0, "assumption": 0},
    "offset_count": {1: 0, 2: 0},
    "Source": {0: 0},
}
_SPOKEN = re.compile(r"\bspoken\(\"((?:[^\"\\]|\\.)*)\"")


@dataclass(frozen=True)
class Text:
    """One text.

    Attributes
    ----------
    one : str
        The English template.
    many : str
        Its plural, where it has one.
    place : str
        File in which it stands.
    domain : str
        Catalogue that holds it.
    """

    one: str
    many: str
    place: str
    domain: str = "tropviz"


def every(root: Path) -> list[Text]:
    """All texts of a checkout, in the order of their files."""
    found: list[Text] = []
    names = {}
    folders = [root / "tropviz", root / "pages"]
    files = [root / "app.py", *(path for folder in folders for path in sorted(folder.rglob("*.py")))]
    trees = {path.relative_to(root).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in files}
    for tree in trees.values():
        names.update(_constants(tree))
    for place, tree in trees.items():
        if not place.startswith("tropviz/language/"):
            found += (Text(one, many, place) for one, many in _python(tree, names, _SHOWN.get(place, ())))
    for path in sorted((root / "tropviz").rglob("*.js")):
        place = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        found += (Text(json.loads(f'"{match[1]}"'), "", place) for match in _SPOKEN.finditer(text))
    found += (Text(text, "", "tropviz/core/collapse/remedies.py") for text in _WORDS)
    found += (Text(text, "", place, "reading") for place, text in _files(root / "assets"))
    return [text for text in found if text.one.strip()]


# --- Python ---


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """Assignments at the top of a module, by name: what a count is told by may be imported."""
    out = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            out[node.targets[0].id] = node.value
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            out[node.target.id] = node.value
    return out


def _python(tree: ast.Module, names: dict[str, ast.expr], shown: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    own = _Names(tree, names)
    for name in shown:
        yield from ((text, "") for text in own.texts(ast.Name(name)))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called == "plural" and len(node.args) > 2:
            one, many = (next(own.texts(arg), "") for arg in node.args[:2])
            yield one, many
        wanted = _CALLS.get(called, {})
        given: list[tuple[int | str, ast.expr]] = [*enumerate(node.args)]
        given += [(keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg]
        for where, value in given:
            if where not in wanted or (called in ("say", "phrase") and not isinstance(value, ast.Constant)):
                continue
            if called == "Row" and isinstance(value, ast.Name) and value.id == "LANGUAGES":
                continue
            yield from ((text, "") for text in own.texts(value))


class _Names:
    """What expressions of a module may be as texts."""

    def __init__(self, tree: ast.Module, others: dict[str, ast.expr]) -> None:
        self.values: dict[str, list[ast.expr]] = {}
        self.returns: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            for target in node.targets if isinstance(node, ast.Assign) else ():
                if isinstance(target, ast.Name) and isinstance(node, ast.Assign):
                    self.values.setdefault(target.id, []).append(node.value)
                elif isinstance(target, ast.Tuple) and isinstance(node, ast.Assign):
                    self._unpacked(target, node.value)
            if isinstance(node, ast.FunctionDef):
                found = [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value]
                self.returns[node.name] = found
        for name, value in others.items():
            self.values.setdefault(name, [value])

    def _unpacked(self, target: ast.Tuple, value: ast.expr) -> None:
        pairs = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
        for pair in pairs:
            if isinstance(pair, ast.Tuple) and len(pair.elts) == len(target.elts):
                for name, part in zip(target.elts, pair.elts, strict=True):
                    if isinstance(name, ast.Name):
                        self.values.setdefault(name.id, []).append(part)

    def texts(self, node: ast.expr, deep: int = 4) -> Iterator[str]:
        """Every text that an expression may be; a value inside one is a number in braces."""
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            inside = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
            parts = [
                text for name in inside if deep and isinstance(name, ast.Name) for text in self.texts(name, deep - 1)
            ]
            if parts or _words(re.sub(r"\{\d+\}", "", _numbered(node))):
                yield _numbered(node)
            yield from parts
        elif isinstance(node, ast.IfExp):
            yield from self.texts(node.body, deep)
            yield from self.texts(node.orelse, deep)
        elif isinstance(node, (ast.Tuple, ast.List)):
            for value in node.elts:
                yield from self.texts(value, deep)
        elif isinstance(node, ast.Dict):
            for value in node.values:
                yield from self.texts(value, deep)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            for left in self.texts(node.left, deep):
                yield from (left + right for right in self.texts(node.right, deep))
        elif isinstance(node, ast.Subscript):
            yield from self.texts(node.value, deep)
        elif deep and isinstance(node, ast.Name):
            for value in self.values.get(node.id, []):
                yield from self.texts(value, deep - 1)
        elif deep and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("say", "phrase"):
                return
            for value in self.returns.get(node.func.id, []):
                yield from self.texts(value, deep - 1)


def _numbered(node: ast.JoinedStr) -> str:
    """The template of an f-string: its values are numbered.

    >>> _numbered(ast.parse('f"seen among {n:,} points of {m}"').body[0].value)
    'seen among {0} points of {1}'
    """
    out, at = "", 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            out += str(part.value)
        else:
            out, at = f"{out}{{{at}}}", at + 1
    return out


# --- files of texts ---


def _files(assets: Path) -> Iterator[tuple[str, str]]:
    for path in sorted((assets / "lessons").glob("[0-9]*.md")):
        header, _, body = path.read_text(encoding="utf-8").partition("+++\n")[2].partition("+++\n")
        for text in (*_lesson(tomllib.loads(header)), *(t for part in body.split("\n---\n") for t in _prose(part))):
            yield f"assets/lessons/{path.name}", text
    for text in _prose((assets / "about.md").read_text(encoding="utf-8")):
        yield "assets/about.md", text
    for entry in tomllib.loads((assets / "glossary.toml").read_text(encoding="utf-8"))["entry"]:
        for name in ("word", "definition", "formula", "assumption", "source"):
            if _words(entry.get(name, "")) and (name != "source" or not re.search(r"\d{4}", entry[name])):
                yield "assets/glossary.toml", entry[name]
    for claim in _json(assets / "claims.json")["claims"]:
        for text in (claim["name"], claim["claimed"], claim["proved"], *(one["text"] for one in claim["measured"])):
            yield "assets/claims.json", text
    for preset in _json(assets / "presets" / "presets.json")["presets"]:
        for text in (preset["title"], preset["sentence"]):
            yield "assets/presets/presets.json", text
    for model in _json(assets / "architectures.json")["models"]:
        yield "assets/architectures.json", model["choice"]


def _lesson(header: dict[str, Any]) -> tuple[str, ...]:
    asked, task = header["prediction"], header["check"]
    options = [text for text in asked["options"] if _words(text)]
    return (
        header["title"],
        header["everyday"],
        asked["question"],
        *options,
        asked["reveal"],
        task["task"],
        task["answer"],
    )


def _prose(text: str) -> list[str]:
    return [line for _, lines in blocks(text) for line in lines]


def _words(text: str) -> bool:
    """Whether there is more than a formula to a text."""
    return re.search(r"[A-Za-z]{3}", text) is not None


def _json(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
