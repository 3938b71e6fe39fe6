"""From a link to a scene, and the table of what may stand in a link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from tropviz.io.text import shown
from tropviz.language import current, plural, say
from tropviz.ui.scene.rows import BY_NAME, ROWS, Value
from tropviz.ui.scene.table import VERSION, Scene, opening
from tropviz.ui.scene.viewpoint import active_set

#: Entries of a link that are not ours: Streamlit's own, and marks that others add to count clicks.
_FOREIGN = {"embed", "embed_options", "fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "twclid", "ttclid"}
_FOREIGN |= {"yclid", "igshid", "igsh", "li_fat_id", "mc_cid", "mc_eid", "_ga", "_gl", "_hsenc", "_hsmi", "ref", "si"}
#: Unknown entries of a link that are named.
_NAMED = 5


def parse_link(query: Mapping[str, str]) -> tuple[Scene, tuple[str, ...]]:
    """The scene a link describes, with a sentence for everything in it that could not be taken as it stands.

    >>> scene, notes = parse_link({"v": "1", "n": "300"})
    >>> scene.n, notes
    (256, ('Experts N (n) is 300, outside 2 to 256: 256 is shown.',))
    >>> parse_link({"v": "9", "n": "12"})[1]
    ('This link is of version 9 and this app reads version 1: the default scene is shown.',)
    """
    query = {key: value for key, value in query.items() if not _foreign(key)}
    version = query.pop("v", str(VERSION))
    if version != str(VERSION):
        note = say(
            "This link is of version {version} and this app reads version {version_2}",
            version=shown(version),
            version_2=VERSION,
        )
        return Scene.default().replace(lang=current())[0], (say("{note}: the default scene is shown.", note=note),)
    rows = {row.key: row for row in ROWS}
    changes: dict[str, Value] = {}
    notes: list[str] = []
    unknown = [key for key in query if key not in rows]
    left_out = say("is not known here and was left out.")
    notes += [
        say("The link's entry {key}={query} {left_out}", key=shown(key), query=shown(query[key]), left_out=left_out)
        for key in unknown[:_NAMED]
    ]
    if len(unknown) > _NAMED:
        notes.append(say("So were {named:,} more.", named=len(unknown) - _NAMED))
    for key, text in query.items():
        if key not in rows:
            continue
        try:
            changes[rows[key].name] = rows[key].parse(text)
        except ValueError as problem:
            usual = rows[key].write(rows[key].default) or say("the usual one")
            notes.append(say("The link's entry {problem}: {usual} is shown.", problem=problem, usual=usual))
    if changes.get("router") == "file":
        del changes["router"]
        name = changes.get("router_file") or say("the file of its router")
        notes.append(
            say("This link needs {name}: upload it under More. Until then a random router is shown.", name=name)
        )
    else:
        changes.pop("router_file", None)
    if points := changes.get("points_file"):
        notes.append(say("This link needs the points in {points}: upload them under Your own data.", points=points))
    scene, clamped = Scene.default().replace(**changes)
    scene, odd = _fitting(scene)
    return scene, (*notes, *clamped, *odd)


def opened(scene: Scene, page: str, link: str) -> dict[str, Any]:
    """What changes when a scene is opened in a page: what its link holds, as if one had arrived with it.

    A router or data of the session stays where the link means it; what is another page's alone stays as it is. An
    empty link is the scene on which the page opens.
    """
    query = dict(parse_qsl(link, keep_blank_values=True))
    own = query.get("r") == "file" and scene.own_router is not None
    if own:
        del query["r"]
    if scene.own_points is not None:
        query.pop(BY_NAME["points_file"].key, None)
    there, notes = parse_link(query) if asks(query) else (opening(page), ())
    values = {row.name: there._values[row.name] for row in ROWS if not row.pages or page in row.pages}
    if BY_NAME["lang"].key not in query:  # links of ours leave it out: whoever opens one goes on reading as before
        del values["lang"]
    return {**values, **({"router": "file"} if own else {}), "held": (), "notes": notes}


def in_link() -> str:
    """What a link to another page of ours adds, so that it opens in the language of this one.

    >>> in_link()
    ''
    """
    return "" if (code := current()) == "en" else f"&{BY_NAME['lang'].key}={code}"


def asks(query: Mapping[str, str]) -> bool:
    """Whether a link asks for a scene at all.

    >>> asks({"v": "1"}), asks({"utm_source": "mail"})
    (True, False)
    """
    return any(not _foreign(key) and key != BY_NAME["lang"].key for key in query)


def _foreign(key: str) -> bool:
    """Whether an entry is Streamlit's, or was hung on by those who count clicks: not ours to remark on."""
    return key in _FOREIGN or key.startswith(("utm_", "mtm_", "pk_", "hsa_"))


def _fitting(scene: Scene) -> tuple[Scene, tuple[str, ...]]:
    """The scene without a selected cell that its router cannot have, and a sentence if it had one."""
    if not scene.cell:
        return scene, ()
    members, wrong = active_set(scene.cell), ""
    if max(members) >= scene.n:
        wrong = say(
            "names the expert {members} and there are {n}, from 0 to {n_2}",
            members=shown(str(max(members))),
            n=scene.n,
            n_2=scene.n - 1,
        )
    elif len(members) != scene.k:
        wrong = plural(
            "names 1 expert and {k} are active", "names {n} experts and {k} are active", len(members), k=scene.k
        )
    if not wrong:
        return scene, ()
    return scene.replace(cell="")[0], (
        say("The link's entry cell={cell} {wrong}: no cell is selected.", cell=shown(scene.cell), wrong=wrong),
    )


def table() -> str:
    """The parameters of a link as a Markdown table, for the README."""
    lines = ["| link | meaning | default | values |", "|---|---|---|---|"]
    default = Scene.default().values
    for row in ROWS:
        values = ", ".join(row.choices or ()) or ("0, 1" if isinstance(row.default, bool) else "text")
        if row.limits is not None:
            low, high = row.range(default)
            values = f"{low:g} to {high:g}"
        lines.append(f"| `{row.key}` | {row.label}. {row.help} | {row.write(row.default) or '(none)'} | {values} |")
    return "\n".join(lines)
