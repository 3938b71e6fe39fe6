"""Files that are made when their button is pressed: in the session that pressed it, from the scene of that moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx


def in_session(make: Callable[[], Any]) -> Callable[[], Any]:
    """The same function, with this session's state in reach whenever it is called.

    Streamlit calls the `data` of a download button outside any session: there `st.session_state` is empty, and the
    file would be that of the default scene.
    """
    context = get_script_run_ctx(suppress_warning=True)

    def call() -> Any:
        answer: dict[str, Any] = {}

        def run() -> None:
            try:
                answer["value"] = make()
            except BaseException as problem:  # handed on to the caller below
                answer["problem"] = problem

        thread = threading.Thread(target=run, name="download")
        if context is not None:
            add_script_run_ctx(thread, context)
        thread.start()
        thread.join()
        if "problem" in answer:
            raise answer["problem"]
        return answer["value"]

    return call


def save_menu(label: str, files: Sequence[tuple[str, Callable[[Any], str], str, str]], view: Callable[[], Any]) -> None:
    """A menu of downloads.

    Parameters
    ----------
    label : str
        Of the menu.
    files : sequence of (label, make, file name, media type)
        `make` is called with `view()` when its button is pressed.
    view : callable
        What the scene of that moment means.
    """
    with st.popover(label, type="tertiary"):
        for text, make, name, mime in files:
            st.download_button(
                text,
                data=in_session(lambda make=make: make(view())),
                file_name=f"tropviz_{name}",
                mime=mime,
                type="tertiary",
                on_click="ignore",
                key=f"save_{name}",
            )
