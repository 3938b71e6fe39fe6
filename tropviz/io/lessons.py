"""Lessons: Markdown files with a TOML header, one a lesson, in ``assets/lessons/``; see the README there."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tropviz.home import asset
from tropviz.io.text import quoted

FOLDER = asset("lessons")
#: Pages whose scene a lesson can show.
PAGES = ("fan", "hypersimplex", "collapse", "resilience")
#: Most bytes of one file.
MOST_BYTES = 60_000
_NAME = re.compile(r"(\d{1,2})-[a-z0-9-]+\.md")
_NEED = re.compile(r"([a-z_]+) (==|!=|<=|>=|<|>) (-?\d+(?:\.\d+)?|[a-z_]+)")
_BREAK = re.compile(r"\n---+\n")
_HEADER: dict[str, type] = {
    "title": str,
    "everyday": str,
    "page": str,
    "scene": str,
    "controls": list,
    "numbers": list,
    "hidden": bool,
}
_PREDICTION: dict[str, type] = {"question": str, "options": list, "right": int, "reveal": str}
_CHECK: dict[str, type] = {"task": str, "needs": list, "answer": str, "solved": str}


@dataclass(frozen=True)
class Prediction:
    """What is asked before anything is revealed.

    Attributes
    ----------
    question : str
    options : tuple of str
    right : int
        Number of the right option, from 0.
    reveal : str
        What is said afterwards, whatever was chosen.
    """

    question: str
    options: tuple[str, ...]
    right: int
    reveal: str


@dataclass(frozen=True)
class Need:
    """One condition on the live scene, ``cells >= 6``.

    Attributes
    ----------
    number : str
        Name of a live number, or of a property of the scene.
    sign : str
        One of ==, !=, <=, >=, <, >.
    goal : float or str
        A number, or the name of another live number, or a text.
    """

    number: str
    sign: str
    goal: float | str


@dataclass(frozen=True)
class Check:
    """What is to be done with the scene.

    Attributes
    ----------
    task : str
    needs : tuple of Need
        All of them must hold.
    answer : str
        In words, for the printed page.
    solved : str
        A link's query with which they hold; what it does not name stays as the lesson sets it.
    """

    task: str
    needs: tuple[Need, ...]
    answer: str
    solved: str


@dataclass(frozen=True)
class Lesson:
    """One lesson.

    Attributes
    ----------
    number : int
        From its file's name; its address is ``lesson=number``.
    title, everyday : str
        Its name, and the everyday picture it opens with.
    page, scene : str
        Whose picture is shown, and the query of a link for what it shows.
    controls : tuple of str
        Properties of the scene that can be moved.
    numbers : tuple of str
        Live numbers beside the picture.
    hidden : bool
        Whether the picture itself would give the answer away: it is shown once the prediction is made.
    before, after : str
        Text before the prediction and after the reveal.
    prediction : Prediction
    check : Check
    """

    number: int
    title: str
    everyday: str
    page: str
    scene: str
    controls: tuple[str, ...]
    numbers: tuple[str, ...]
    hidden: bool
    before: str
    after: str
    prediction: Prediction
    check: Check


def read_lessons(folder: Path = FOLDER) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """All lessons of a folder in the order of their numbers, and a sentence for every file that is none.

    >>> found, wrong = read_lessons()
    >>> [lesson.number for lesson in found][:3], wrong
    ([1, 2, 3], ())
    """
    found: dict[int, Lesson] = {}
    wrong = []
    for path in sorted(folder.glob("*.md")):
        if path.name == "README.md":
            continue
        try:
            lesson = read_lesson(path)
            if lesson.number in found:
                raise ValueError(f"{path.name}: there is a lesson {lesson.number} already; give it another number.")
            found[lesson.number] = lesson
        except ValueError as problem:
            wrong.append(str(problem))
    return tuple(found[number] for number in sorted(found)), tuple(wrong)


def read_lesson(path: Path) -> Lesson:
    """One lesson; ValueError names the file, the entry and the remedy."""
    name = _NAME.fullmatch(path.name)
    if name is None or int(name[1]) == 0:
        raise ValueError(f"{path.name}: a lesson's file is called like 11-a-title.md, with its number first.")
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path.name} is larger than {MOST_BYTES:,} bytes: shorten it, a lesson takes five minutes.")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is not UTF-8: save it as UTF-8.") from None
    try:
        return _lesson(int(name[1]), text.replace("\r\n", "\n"))
    except ValueError as problem:
        raise ValueError(f"{path.name}: {problem}") from None


def _lesson(number: int, text: str) -> Lesson:
    parts = text.split("+++\n")
    if len(parts) != 3 or parts[0].strip():
        raise ValueError("it must begin with a header between two lines +++.")
    try:
        header = tomllib.loads(parts[1])
    except tomllib.TOMLDecodeError as problem:
        raise ValueError(f"its header is no TOML: {problem}.") from None
    prediction, check = _table(header, "prediction", _PREDICTION), _table(header, "check", _CHECK)
    _entries(header, "", _HEADER)
    if header["page"] not in PAGES:
        raise ValueError(f"page {quoted(header['page'])} must be one of {', '.join(PAGES)}.")
    options, right = _texts(prediction, "options"), int(prediction["right"])
    if not 2 <= len(options) <= 6 or not 1 <= right <= len(options):
        raise ValueError("prediction needs 2 to 6 options, and right is the number of one of them, from 1.")
    body = _BREAK.split(f"\n{parts[2]}\n", maxsplit=1)
    if len(body) != 2:
        raise ValueError("a line --- must part the text before the prediction from the text after it.")
    return Lesson(
        number,
        header["title"],
        header["everyday"],
        header["page"],
        header["scene"],
        _texts(header, "controls"),
        _texts(header, "numbers"),
        header["hidden"],
        body[0].strip(),
        body[1].strip(),
        Prediction(prediction["question"], options, right - 1, prediction["reveal"]),
        Check(check["task"], tuple(map(_need, _texts(check, "needs"))), check["answer"], check["solved"]),
    )


def _table(header: dict[str, Any], name: str, kinds: dict[str, type]) -> dict[str, Any]:
    found = header.pop(name, None)
    if not isinstance(found, dict):
        raise ValueError(f"the header has no table [{name}].")
    _entries(found, f"{name}.", kinds)
    return found


def _entries(found: dict[str, Any], where: str, kinds: dict[str, type]) -> None:
    for name, kind in kinds.items():
        if type(found.get(name)) is not kind:
            raise ValueError(f"{where}{name} must be given, as {_KINDS[kind]}.")
    if extra := sorted(set(found) - set(kinds)):
        raise ValueError(f"{where}{extra[0]} is no entry of a lesson: take it out, or see the README beside it.")


_KINDS = {str: "a text", int: "a whole number", list: "a list of texts", bool: "true or false"}


def _texts(found: dict[str, Any], name: str) -> tuple[str, ...]:
    if not all(isinstance(one, str) for one in found[name]):
        raise ValueError(f"{name} must be a list of texts.")
    return tuple(found[name])


def _need(text: str) -> Need:
    match = _NEED.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"check.needs: {quoted(text)} must read like cells >= 6, with spaces.")
    goal = match[3]
    return Need(match[1], match[2], goal if goal[0].isalpha() else float(goal))
