"""Objects that draw themselves in a notebook: the mathematics names no renderer, one is plugged in from above."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: How an object becomes HTML. `tropviz` plugs one in; without it there is only the repr.
_renderers: list[Callable[[Any], str]] = []


def rendered_by(render: Callable[[Any], str]) -> None:
    """Plug in the function that turns a `Drawable` into HTML; it replaces the one before.

    Examples
    --------
    >>> class Dot(Drawable):
    ...     pass
    >>> before = list(_renderers)
    >>> rendered_by(lambda thing: "<b>" + type(thing).__name__ + "</b>")
    >>> Dot()._repr_html_()
    '<b>Dot</b>'
    >>> _renderers[:] = before
    """
    _renderers[:] = [render]


class Drawable:
    """A base for objects that a notebook shows as a picture with its counts."""

    def _repr_html_(self) -> str | None:
        return _renderers[0](self) if _renderers else None
