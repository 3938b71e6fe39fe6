"""Files that are made when their button is pressed, from the scene of that moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from tropviz.language import speaking
from tropviz.ui import heavy
from tropviz.ui.scene import Scene
from tropviz.ui.scene.board import Board, board


def save_menu(
    label: str, files: Sequence[tuple[str, Callable[[Scene], str | bytes], str, str]], pooled: bool = False
) -> None:
    """A menu of downloads.

    Parameters
    ----------
    label : str
        Of the menu.
    files : sequence of (label, make, file name, media type)
        `make` is called with the scene of the moment in which its button is pressed.
    pooled : bool
        The files may take long: they are made in the pool. Then `make` is a function of a module, or a partial of one,
        of the scene alone.
    """
    with st.popover(label, type="tertiary"):
        for text, make, name, mime in files:
            st.download_button(
                text,
                data=at_press(board(), partial(heavy.file, heavy.session(), make) if pooled else make),
                file_name=f"tropviz_{name}",
                mime=mime,
                type="tertiary",
                on_click="ignore",
                key=f"save_{name}",
            )


def at_press(here: Board, make: Callable[[Scene], str | bytes]) -> Callable[[], str | bytes]:
    """`make` of the session's scene, whenever and wherever it is called.

    Streamlit calls the `data` of a download button outside any session: there `st.session_state` is empty, so what is
    asked is the board of the session that drew the button.
    """

    def made() -> str | bytes:
        with speaking("en"):  # numbers as programs read them, and names that stay; a text for people says its own
            return make(Scene(here.world.values))

    return made
