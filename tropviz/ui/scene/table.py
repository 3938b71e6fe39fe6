"""The scene: everything that defines what is on screen, in one table of typed properties.

One row of `ROWS` (tropviz.ui.scene.rows) drives reading a link, writing it, clamping (with a sentence a person can
read), the widget and the table in the README (``python -m tropviz.ui.scene`` prints it). A page adds its own
properties as rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

from tropviz.io.text import shown
from tropviz.ui.scene.rows import BY_NAME, ROWS, Row, Value

#: Version of the link format. A link of another version is opened with the defaults, and the page says so.
VERSION = 1


@dataclass(frozen=True)
class Scene:
    """An immutable, always valid set of values, one for every row of the table.

    Examples
    --------
    >>> scene = Scene.default()
    >>> scene.n, scene.k
    (8, 2)
    >>> smaller, notes = scene.replace(n=2)
    >>> smaller.k, notes
    (1, ('Active experts k can only be 1 here; it was 2.',))
    """

    values: Mapping[str, Value] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(f"the scene has no property {name!r}") from None

    def __iter__(self) -> Iterator[Row]:
        return iter(ROWS)

    def __hash__(self) -> int:
        return hash(tuple(self.values.items()))

    @classmethod
    def default(cls) -> Scene:
        """The scene a first visit opens on."""
        return cls({row.name: row.default for row in ROWS})

    def replace(self, **changes: Value) -> tuple[Scene, tuple[str, ...]]:
        """A scene with some values changed, clamped into the limits, and a sentence for each clamped one."""
        unknown = set(changes) - set(BY_NAME)
        if unknown:
            raise ValueError(f"the scene has no property {sorted(unknown)[0]!r}.")
        values: dict[str, Value] = {}
        notes = []
        for row in ROWS:
            values[row.name], note = row.clamp(changes.get(row.name, self.values.get(row.name, row.default)), values)
            if note:
                notes.append(note)
        return Scene(values), tuple(notes)

    def link(self, page: str = "fan") -> str:
        """The complete, versioned query string of a page.

        >>> Scene.default().link()[:16]
        'v=1&r=affine&n=8'
        """
        pairs = [("v", str(VERSION))]
        shown = (row for row in ROWS if not row.pages or page in row.pages)
        pairs += [(row.key, row.write(self.values[row.name])) for row in shown]
        return urlencode(pairs)

    def subset(self, *names: str) -> tuple[Value, ...]:
        """Some values, as a cache key."""
        return tuple(self.values[name] for name in names)


def parse_link(query: Mapping[str, str]) -> tuple[Scene, tuple[str, ...]]:
    """The scene a link describes, with a sentence for everything in it that could not be taken as it stands.

    >>> scene, notes = parse_link({"v": "1", "n": "300"})
    >>> scene.n, notes
    (256, ('Experts N (n) is 300, outside 2 to 256: 256 is shown.',))
    >>> parse_link({"v": "9", "n": "12"})[1]
    ('This link is of version 9 and this app reads version 1: the default scene is shown.',)
    """
    query = {key: value for key, value in query.items() if key not in {"embed", "embed_options"}}
    version = query.pop("v", str(VERSION))
    if version != str(VERSION):
        note = f"This link is of version {shown(version)} and this app reads version {VERSION}"
        return Scene.default(), (f"{note}: the default scene is shown.",)
    rows = {row.key: row for row in ROWS}
    changes: dict[str, Value] = {}
    notes: list[str] = []
    for key, text in query.items():
        if key not in rows:
            notes.append(f"The link's entry {shown(key)}={shown(text)} is not known here and was left out.")
            continue
        try:
            changes[rows[key].name] = rows[key].parse(text)
        except ValueError as problem:
            usual = rows[key].write(rows[key].default) or "the usual one"
            notes.append(f"The link's entry {problem}: {usual} is shown.")
    if changes.get("router") == "file":
        del changes["router"]
        notes.append(
            "A link cannot carry an uploaded router: upload the file here again under More. A random router is shown."
        )
    scene, clamped = Scene.default().replace(**changes)
    return scene, (*notes, *clamped)


def read_scene() -> Scene:
    """The session's scene; on the first request of a session, the one in the link."""
    if "scene" not in st.session_state:
        scene, notes = parse_link(st.query_params.to_dict())
        st.session_state["scene"] = dict(scene.values)
        st.session_state["notes"] = notes
    return Scene(st.session_state["scene"])


def update(**changes: Value) -> Scene:
    """Change the session's scene; what had to be clamped becomes a visible note."""
    scene, notes = read_scene().replace(**changes)
    st.session_state["scene"] = dict(scene.values)
    st.session_state["notes"] = notes
    return scene


def rerun(*fragments: str) -> NoReturn:
    """From a widget's callback: run only these fragments again; all of the page if one has not been drawn yet.

    That is what makes a step of a slider fast. Without names: the whole page.
    """
    st.session_state["rerun"] = fragments
    try:
        st.rerun(list(fragments) or "app")
    except StreamlitAPIException:  # the first run of the page was cut short before that fragment
        st.rerun()


def say(*sentences: str) -> None:
    """Add sentences to the notes shown above the picture until the next change."""
    st.session_state["notes"] = (*st.session_state.get("notes", ()), *sentences)


class Refusal(str):
    """A note that something was refused; it is shown in another colour than a note that something was done."""


def notes() -> tuple[str, ...]:
    """The sentences to show now."""
    return tuple(st.session_state.get("notes", ()))


def table() -> str:
    """The parameters of a link as a Markdown table, for the README."""
    lines = ["| link | meaning | default | values |", "|---|---|---|---|"]
    default = Scene.default().values
    for row in ROWS:
        span = row.range(default)
        values = (
            ", ".join(row.choices)
            if row.choices
            else f"{span[0]:g} to {span[1]:g}"
            if span
            else "text"
            if row.free
            else "0, 1"
        )
        lines.append(f"| `{row.key}` | {row.label}. {row.help} | {row.write(row.default) or '(none)'} | {values} |")
    return "\n".join(lines)
