"""A Plotly figure, and beside it what the canvas does with it that Plotly does not: hover, touch, colours, frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Figure = dict[str, Any]
Floats32 = NDArray[np.float32]
Ints32 = NDArray[np.int32]


def f32(values: Any) -> Floats32:
    """Numbers as a trace takes them.

    >>> f32([1, 2]).dtype.name
    'float32'
    """
    return np.asarray(values, dtype=np.float32)


class Once(list[Any]):
    """A list of a message that many are sent, or one person again and again: it is encoded once, and kept so.

    Examples
    --------
    >>> Once([1, 2]) == [1, 2]
    True
    """

    encoded: bytes | None = None


@dataclass(frozen=True, eq=False)
class Regions:
    """Polygons of the plane that light up under the mouse without a round trip.

    Attributes
    ----------
    starts : (m + 1,) int32
        Where each polygon begins among the corners.
    x, y : (p,) float32
        Corners, not repeated.
    labels : sequence of str (m,)
    rows : (m,) int32, optional
        Fan row of each.
    """

    starts: Ints32
    x: Floats32
    y: Floats32
    labels: Sequence[str]
    rows: Ints32 | None = None


@dataclass(frozen=True, eq=False)
class Faces:
    """What the triangles of trace 0, a mesh in space, belong to.

    Attributes
    ----------
    cell : (t,) int32
        Position of each triangle's cell among the labels.
    labels : sequence of str (m,)
    rows : (m,) int32
        Fan row of each label.
    colours : sequence of str (m,), optional
        The colour of every cell, where the mesh comes without those of its triangles.
    """

    cell: Ints32
    labels: Sequence[str]
    rows: Ints32
    colours: Sequence[str] | None = None


@dataclass(frozen=True, eq=False)
class Cloud:
    """The points that follow the handle during a drag, and how they are coloured and routed meanwhile.

    Attributes
    ----------
    trace : int
        Their trace.
    fills : sequence of str (m,)
        The colour a point takes in each region; `other`, outside of all.
    router : mapping
        "W" (N * 2,), "b" (N,) and "k".
    """

    trace: int
    fills: Sequence[str]
    other: str
    router: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Frames:
    """A sweep that plays in the browser.

    Attributes
    ----------
    token : str
        Names what the frames show; they are sent once a token.
    items : sequence of mapping, optional
        "name", "note", "data" and "traces", the numbers of the traces that `data` restyles; also "at",
        what a seek brings, "handle", "half", "over". None: the browser has them.
    label : str
        Word before the frame's name.
    start, interval : int
        The frame of the figure; milliseconds between two.
    group : str
        Canvases of one group play together.
    bar : bool
        Whether this canvas has the play bar.
    still : bool
        The figure itself is frame `start`: nothing is restyled until a person plays or slides; `now` {"name", "note"}
        is then shown in place of that frame's.
    fast : bool
        Frames are drawn on a plain canvas over the plot; `over` lists the traces that stay on top of them.
    sheets : sequence of {"source", "half"}
        The ground at several scales, for frames that zoom.
    beside : str
        CSS selector of what is dimmed while another frame than `start` is in view.
    later : callable, optional
        Gives the items where they are sent; for a browser that has them they need not be made.
    """

    token: str
    items: Sequence[Mapping[str, Any]] | None = None
    label: str = ""
    start: int = 0
    interval: int = 80
    group: str = ""
    bar: bool = True
    still: bool = False
    fast: bool = False
    over: Sequence[int] = ()
    sheets: Sequence[Mapping[str, Any]] = ()
    beside: str = ""
    now: Mapping[str, str] | None = None
    later: Callable[[], Sequence[Mapping[str, Any]]] | None = None


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure and what goes with it.

    Attributes
    ----------
    data, layout
        Of the Plotly figure; arrays are float32 or int32.
    regions, faces, cloud, frames : optional
        See there.
    cameras : mapping of str to camera, optional
        Become buttons.
    hidden : int
        Cells and segments that were left out.
    """

    data: list[Figure]
    layout: Figure
    regions: Regions | None = None
    faces: Faces | None = None
    cloud: Cloud | None = None
    frames: Frames | None = None
    cameras: Mapping[str, Figure] | None = None
    hidden: int = 0

    @property
    def figure(self) -> Figure:
        """The Plotly figure alone, as `plotly.graph_objects.Figure` takes it."""
        return {"data": self.data, "layout": self.layout}

    def parts(self) -> dict[str, Any]:
        """Everything by name, for a message; what there is not is left out.

        >>> Picture([], {}, frames=Frames("a", items=[])).parts()["frames"]["token"]
        'a'
        """
        beside = {"regions": self.regions, "faces": self.faces, "cloud": self.cloud, "frames": self.frames}
        named = {name: vars(part) for name, part in beside.items() if part is not None}
        return self.figure | {
            name: {key: value for key, value in part.items() if value is not None} for name, part in named.items()
        }
