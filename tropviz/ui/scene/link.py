"""From a link to a scene, and the table of what may stand in a link."""

from __future__ import annotations

from collections.abc import Mapping

from tropviz.io.text import shown
from tropviz.ui.scene.rows import ROWS, Value
from tropviz.ui.scene.table import VERSION, Scene


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
