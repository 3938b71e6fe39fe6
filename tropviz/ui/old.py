"""For pages that are not yet of parts: what they used to call, on top of the board. It goes with the last of them.

A page of this kind draws `beacon()` at its end, and names fragments in `rerun`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import streamlit as st
from streamlit.errors import StreamlitAPIException

from tropviz.figures.picture import Picture
from tropviz.ui import controls, shell
from tropviz.ui.canvas import component
from tropviz.ui.scene import Scene
from tropviz.ui.scene.board import BEACON, FAILED, board, brought

T = TypeVar("T")
Event = Callable[[dict[str, Any]], None]
_LOG = logging.getLogger(__name__)


def read_scene() -> Scene:
    """The session's scene."""
    return Scene(board().fold().values)


def update(**changes: Any) -> Scene:
    """Change the session's scene; what had to be clamped becomes a visible note."""
    here = board()
    here.world = here._with(here.fold(), changes)
    return Scene(here.world.values)


def say(*sentences: str) -> None:
    """Add sentences to the notes until the next change."""
    here = board()
    values = here.world.values
    here.world = here.world._replace(values={**values, "notes": (*values["notes"], *sentences)})


def rerun(*fragments: str) -> NoReturn:
    """From a callback: run only these fragments again; all of the page if one has not been drawn yet."""
    here = board()
    here.coming = True
    try:
        st.rerun([*fragments, BEACON] if fragments else "app")
    except StreamlitAPIException:  # the first run of the page was cut short before that fragment
        st.rerun()


def is_dark() -> bool:
    """Whether the browser shows the dark theme."""
    return st.context.theme.type == "dark"


def _took(name: str, key: str, fragments: Sequence[str]) -> None:
    update(**{name: st.session_state[key], **brought(name, st.session_state[key])})
    if fragments:
        rerun(*fragments)


def widget(name: str, scene: Scene | None = None, *, rerun: Sequence[str] = (), **options: Any) -> None:
    """The widget of one property of the scene; a change runs the named fragments again."""
    scene, key = scene or read_scene(), f"w_{name}"
    if st.session_state.get(key) != scene.values[name]:
        st.session_state[key] = scene.values[name]
    show, given = controls.look(name, scene, **options)
    show(key=key, on_change=_took, args=(name, key, tuple(rerun)), **given)


def shared_controls(
    scene: Scene,
    *,
    rerun: Sequence[str] = (),
    main: Sequence[str] = ("n", "k", "h", "offset"),
    own_data: bool | None = None,
) -> None:
    """The controls every page shares."""
    controls.shared_controls(scene, main=main, own_data=own_data, widget=lambda *a, **o: widget(*a, rerun=rerun, **o))


def ready(compute: Callable[[Scene], T]) -> tuple[T, Scene]:
    """`compute(scene)`; where the scene cannot be shown, one sentence says why and the last good scene is kept."""
    here, scene = board(), read_scene()
    try:
        result = compute(scene)
    except ValueError as problem:
        sentence = str(problem)
    except Exception:
        _LOG.exception("a scene could not be shown: %s", scene.link())
        sentence = FAILED
    else:
        here.good = here.world
        return result, scene
    here.revert(sentence)
    return compute(read_scene()), read_scene()


def canvas(picture: Picture, *, link: str = "", of: Any = None, **options: Any) -> None:
    """Show a figure; `on_click`, `on_step` ... are called with the event, and change the scene themselves."""
    hears = {}
    for event in ("click", "drag", "step", "leave", "seek"):
        if (receiver := options.pop(f"on_{event}", None)) is not None:
            hears[event] = lambda _, event, receiver=receiver: board().callbacks.append(lambda: receiver(event))
    component.canvas(picture, hears=hears, link=bool(link), **options)


def chart(figure: Mapping[str, Any], *, key: str, alt: str, height: int, slide: bool = False, link: str = "") -> None:
    """Show a chart of `height` pixels, on a slide as high as the window; the key is also the name of its downloads."""
    axes = figure["layout"]["xaxis"]["range"], figure["layout"]["yaxis"]["range"]
    tall: int | str = "fill" if slide else height
    picture = Picture(figure["data"], figure["layout"])
    canvas(picture, key=key, alt=alt, view=str(axes), height=tall, below=120, toolbar=not slide, name=key, link=link)


def copy_link(scene: Scene, page: str, label: str = "Copy link") -> None:
    """A button that copies the page's address; without a label, nothing: the beacon keeps the address."""
    if label and not scene.embed:
        shell.copy_link(label)


def show_notes(extra: Sequence[str] = ()) -> None:
    """The notes of the scene."""
    shell.show_notes(read_scene(), extra)
