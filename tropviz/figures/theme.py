"""The colours of the two themes, all in one place. What a cell's own colour means is in `figures.colour`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CellTone:
    """How light, how much lighter with the height in space, how varied and how vivid cells are (OKLCH)."""

    lightness: float
    elevation: float
    jitter: float
    chroma: float


@dataclass(frozen=True)
class Theme:
    """Colours of one theme.

    Attributes
    ----------
    background, text : str
        Of the page; `background` also parts the cells.
    line, quiet, hinge, muted, soft : str
        From the strongest line to the quietest; `muted` is for things that are beside the point.
    label, halo : str
        Text on cells (contrast at least 4.5 on every one of them), and what parts it from points.
    point : str
        Data whose cell is not known.
    skin, inside : str
        Surface of a polytope in space, and the inside of one in the plane.
    bound, expected, exact, other : str
        A number by its kind of truth, and a second comparison.
    plain, shared, cap, certified, veil : str
        Collapse without and with the shared expert, the cap of directions, t*, and cells without data.
    ramp : (str, str)
        Ends of a scale, told apart in grey as well.
    cells : CellTone
    """

    background: str
    text: str
    line: str
    quiet: str
    hinge: str
    muted: str
    soft: str
    label: str
    halo: str
    point: str
    skin: str
    inside: str
    bound: str
    expected: str
    exact: str
    other: str
    plain: str
    shared: str
    cap: str
    certified: str
    veil: str
    ramp: tuple[str, str]
    cells: CellTone


LIGHT = Theme(
    background="#fdfcfa",
    text="#1c1b22",
    line="#1b1b1f",
    quiet="rgba(27,27,31,.35)",
    hinge="rgba(20,20,24,0.28)",
    muted="#6b6872",
    soft="#8d8d97",
    label="#262626",
    halo="rgba(255,255,255,0.85)",
    point="rgba(20,20,24,0.55)",
    skin="#8a90a4",
    inside="rgba(20,20,24,.045)",
    bound="#b4500b",
    expected="#6d28d9",
    exact="#15803d",
    other="#0369a1",
    plain="#4338ca",
    shared="#15803d",
    cap="#c2570c",
    certified="#b91c1c",
    veil="#dcd9d3",
    ramp=("#312e81", "#d97706"),
    cells=CellTone(0.80, 0.065, 0.03, 0.155),
)
DARK = Theme(
    background="#14141a",
    text="#ecebf2",
    line="#f4f4f4",
    quiet="rgba(244,244,244,.4)",
    hinge="rgba(255,255,255,0.3)",
    muted="#a19eab",
    soft="#6f6f7d",
    label="#f4f4f4",
    halo="rgba(10,10,14,0.85)",
    point="rgba(255,255,255,0.62)",
    skin="#9aa0b4",
    inside="rgba(255,255,255,.05)",
    bound="#fb923c",
    expected="#c4a5ff",
    exact="#4ade80",
    other="#7dd3fc",
    plain="#a5a0ff",
    shared="#4ade80",
    cap="#fb923c",
    certified="#f87171",
    veil="#26262c",
    ramp=("#c4a5ff", "#fb923c"),
    cells=CellTone(0.44, 0.06, 0.025, 0.12),
)


def theme(dark: bool) -> Theme:
    """The colours of a theme."""
    return DARK if dark else LIGHT


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of '#rrggbb', 0 to 255.

    >>> channels("#ff0010")
    (255, 0, 16)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def faded(colour: str, alpha: float) -> str:
    """A '#rrggbb' colour with transparency.

    >>> faded("#ff0000", 0.5)
    'rgba(255,0,0,0.5)'
    """
    return f"rgba({','.join(map(str, channels(colour)))},{alpha:g})"
