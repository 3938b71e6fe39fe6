"""How many cells each session has on screen: noted by pages as they draw, read by the log of events."""

from __future__ import annotations

import threading

from streamlit.runtime.scriptrunner import get_script_run_ctx

_CELLS: dict[str, int] = {}
_LOCK = threading.Lock()


def note(cells: int) -> None:
    """The number of cells of what is being drawn for this session."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        with _LOCK:
            _CELLS[context.session_id] = int(cells)


def begin() -> None:
    """A page begins: what another page had on screen is no longer there."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        forget(context.session_id)


def noted(session: str) -> int | None:
    """What was noted last for a session, if anything."""
    with _LOCK:
        return _CELLS.get(session)


def forget(session: str) -> None:
    """The session is closed."""
    with _LOCK:
        _CELLS.pop(session, None)
