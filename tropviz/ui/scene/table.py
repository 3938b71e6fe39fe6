"""The scene: everything that defines what is on screen, as one immutable set of values.

One row of `ROWS` (tropviz.ui.scene.rows) drives reading a link, writing it, clamping (with a sentence a person can
read), the widget and the table in the README. A page adds its own properties as rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from tropviz.ui.scene.rows import BESIDE, BY_NAME, ROWS, Value

#: Version of the link format. A link of another version is opened with the defaults, and the page says so.
VERSION = 1


_FILES = ("router_file", "points_file")


class Refusal(str):
    """A note that something was refused; it is shown in another colour than a note that something was done."""


class Scene:
    """An immutable, always valid set of values: one for every row of the table, and those of `rows.BESIDE`.

    It notes which of them are asked for, so that what was made of it can be known by the values it read
    (`tropviz.ui.scene.derived`, `tropviz.ui.scene.part`).

    Parameters
    ----------
    values : mapping
        By name; what is missing beside the rows has its default.
    noted : set, optional
        Collects the names that are read, and the questions asked (`through`).

    Examples
    --------
    >>> scene = Scene.default()
    >>> scene.n, scene.k
    (8, 2)
    >>> smaller, notes = scene.replace(n=2)
    >>> smaller.k, notes
    (1, ('Active experts k can only be 1 here; it was 2.',))
    >>> read = set()
    >>> Scene(scene.values, read).offset, read
    (0.9, {'offset'})
    """

    __slots__ = ("_noted", "_values")

    def __init__(self, values: Mapping[str, Any], noted: set[Any] | None = None) -> None:
        self._values: Mapping[str, Any] = values if values.keys() >= BESIDE.keys() else {**BESIDE, **values}
        self._noted = noted

    def __getattr__(self, name: str) -> Any:
        try:
            value = self._values[name]
        except KeyError:
            raise AttributeError(f"the scene has no property {name!r}") from None
        if self._noted is not None:
            self._noted.add(name)
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self._values == other._values

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def note(self, names: Iterable[str]) -> None:
        """Note that these were read, by something made of this scene."""
        if self._noted is not None:
            self._noted.update(names)

    def through(self, question: Callable[[Scene], Any]) -> Any:
        """The answer to a question: who asks it follows when the answer changes, not whenever what it reads does.

        The question is a function that stays the same (of a module, not a lambda), and its answer can be compared.
        """
        if self._noted is not None:
            self._noted.add(question)
        return question(self.aside)

    @property
    def aside(self) -> Scene:
        """The same scene, of which nothing is noted: for what the browser brings up to date by itself."""
        return Scene(self._values)

    @property
    def values(self) -> dict[str, Value]:
        """The values of all rows; all of them are read by this."""
        self.note(BY_NAME)
        return {row.name: self._values[row.name] for row in ROWS}

    @classmethod
    def default(cls) -> Scene:
        """The scene a first visit opens on."""
        return cls({row.name: row.default for row in ROWS})

    def replace(self, **changes: Any) -> tuple[Scene, tuple[str, ...]]:
        """A scene with some values changed, clamped into the limits, and a sentence for each clamped one."""
        unknown = set(changes) - set(BY_NAME) - set(BESIDE)
        if unknown:
            raise ValueError(f"the scene has no property {sorted(unknown)[0]!r}.")
        values: dict[str, Any] = {name: changes.get(name, self._values[name]) for name in BESIDE}
        notes = []
        for row in ROWS:
            values[row.name], note = row.clamp(changes.get(row.name, self._values.get(row.name, row.default)), values)
            if note:
                notes.append(note)
        return Scene(values, self._noted), tuple(notes)

    def link(self, page: str = "fan", short: bool = False) -> str:
        """The versioned query string of a page, complete or (`short`) without what is a default.

        >>> Scene.default().link()[:20]
        'v=1&tq=&r=affine&dz='
        >>> Scene.default().replace(n=12)[0].link(short=True)
        'v=1&n=12'
        """
        pairs = [("v", str(VERSION))]
        files = self._files()
        for row in ROWS:
            if not row.pages or page in row.pages:
                value = files.get(row.name, getattr(self, row.name))
                usual = short and row.write(value) == row.write(row.default)
                if not usual and (value or row.name not in _FILES):
                    pairs.append((row.key, row.write(value)))
        return urlencode(pairs)

    def _files(self) -> dict[str, str]:
        """What a link says of files: their names, where they are in use or it waits for them."""
        files: dict[str, str] = {}
        if self.router == "file":
            files["router_file"] = self.own_router.file.name
        elif self.router_file:
            files["router"] = "file"
        if self.own_points is not None:
            files["points_file"] = self.own_points.name
        return files

    def subset(self, *names: str) -> tuple[Any, ...]:
        """Some values."""
        return tuple(getattr(self, name) for name in names)


#: What a page opens on where that is not the default scene, and where its reset leads: the octahedron.
_OPENING: Mapping[str, Mapping[str, Value]] = {"hypersimplex": {"n": 4, "k": 2}}


def opening(page: str) -> Scene:
    """The scene on which a page opens when its address asks for none.

    >>> opening("hypersimplex").subset("n", "k"), opening("fan") == Scene.default()
    ((4, 2), True)
    """
    return Scene.default().replace(**_OPENING.get(page, {}))[0]
