"""The Angular collapse page in words and numbers: counts, the line of meaning, how to read it."""

from __future__ import annotations

import math
from typing import Any

from tropviz import Count, collapse
from tropviz.figures.collapse_curves import offset_text
from tropviz.ui.collapse import certain
from tropviz.ui.collapse.picture import first_half, half_at
from tropviz.ui.collapse.study import Study, cap, seen_now, study
from tropviz.ui.counts import CountRow, counts_html
from tropviz.ui.scene import Scene, derived

#: Two groups of counts beside each other, where there is room.
CSS = (
    "<style>.tv-beside{display:grid;gap:.4rem 1.6rem;"
    "grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr))}</style>"
)


def reading(view: Study) -> str:
    """How to read the picture and the curves together."""
    d = view.router.d
    ball = "circle" if d == 2 else "ball"
    edge = "" if view.scene.cloud == "ball" and view.own is None else ", the smallest that holds this sample"
    zoom = ""
    if view.far:
        zoom = (
            " t* is far out: the picture zooms out around the origin to follow, and a <b>lens</b> keeps the cloud and "
            "the cells around it in sight."
        )
    return (
        f"{certain.curve(view, ball)} The dotted {ball}{edge}, is what t* is of. <b>Orange</b>: the "
        f"cap, the directions in which the router sees the {ball}; its share falls as the dotted orange curve. "
        f"Dots on the ring are the directions of the points; pale cells hold little of the data.{zoom}"
    )


def offset_count(t: float, what: str) -> Count:
    """An offset as a count that says never instead of a number where there is none."""
    return Count(float(t), "exact", what, "" if math.isfinite(t) else "never reached")


def _gaussian(view: Study, t: float) -> tuple[float, float]:
    """Bounds on the share of all draws of the Gaussian that are routed as its mean, rounded outwards to a per mille."""
    low, high = collapse.gaussian_bounds(view.router, view.u, float(view.scene.spread), view.away(t, view.strength))
    return math.floor(1000 * low) / 1000, min(1.0, math.ceil(1000 * high) / 1000)


@derived
def _gaussian_at_star(scene: Scene) -> tuple[float, float]:
    view = study(scene, 0.0)
    return _gaussian(view, view.shown_certified)


def is_gaussian(view: Study) -> bool:
    """Whether the data is drawn from one Gaussian."""
    return view.scene.cloud == "gaussian" and view.own is None


def gaussian_counts(view: Study) -> list[Any]:
    """For a Gaussian, which has no edge and so no t* of its own: bounds on the whole distribution."""
    low, high = _gaussian(view, float(view.scene.offset))
    rows: list[Any] = [
        (
            "Whole Gaussian: with its mean, at least",
            Count(low, "lower", "1 - sum_ij Phi(-m_ij / sigma), m_ij the mean's distances to the walls of its cell"),
            "A Gaussian has no edge, so a few draws always fall outside any ball; this share of all draws is certain "
            "to be routed as the mean is.",
            "share",
        ),
        (
            "Whole Gaussian: with its mean, at most",
            Count(high, "upper", "Phi(m / sigma), m the mean's distance to the nearest wall"),
            "No more of all draws can be routed as the mean is.",
            "share",
        ),
    ]
    if math.isfinite(view.shown_certified):
        low, _ = _gaussian_at_star(view.scene)
        rows.append(
            (
                "Whole Gaussian at t*, at least",
                Count(low, "lower", "1 - sum_ij Phi(-m_ij / sigma) at t*"),
                "t* is of the ball around this sample; of all draws, so much is certain to be in one set there.",
                "share",
            )
        )
    return rows


def collapse_counts(view: Study) -> list[CountRow | tuple[str, Count, str, str]]:
    """Angular collapse in numbers."""
    seen, scene = seen_now(view), view.scene
    rows: list[Any] = [
        ("Saturation", seen.saturation, "Share of the data in its fullest active set; 100 % is collapse.", "share")
    ]
    if view.router.d == 2 and scene.cloud == "ball" and view.own is None:
        centre = (1 - view.strength) * scene.offset * view.u
        share = float(collapse.disk_shares(view.router, centre, view.radius)[1][0])
        rows.append(
            ("of the whole disk", Count(share, "exact", "circle and polygon, closed form"), "Not sampled.", "share")
        )
    if is_gaussian(view):
        rows += gaussian_counts(view)
    ball = (
        "of the ball"
        if scene.cloud == "ball" and view.own is None
        else f"of the smallest ball around the data, r = {view.radius:.6g}"
    )
    rows += [
        ("Routing entropy, bits", seen.entropy, "Over active sets."),
        ("Effective active sets", seen.effective_sets, "2^entropy: so many equally full sets have that entropy."),
        ("Active sets hit", seen.sets_hit, "Different ones in this sample."),
        (
            "Certified offset t*",
            offset_count(view.shown_certified, "r over the nearest wall's slope along u"),
            f"From here on all {ball} is in {certain.end(view)}{' active set' * (not view.two_sided)}.",
            "offset",
        ),
        (
            "Cap of directions",
            Count(cap(view, view.now, view.strength), "exact", "half the regularised incomplete beta function"),
            "Share of the unit sphere the data can be seen in. A small cap alone is no collapse.",
        ),
    ]
    return rows


def load_counts(view: Study) -> list[CountRow]:
    """Load imbalance in numbers: another thing."""
    seen = seen_now(view)
    return [
        ("Coefficient of variation", seen.imbalance, "0 when every expert gets the same."),
        (
            "Switch loss",
            seen.switch_loss,
            f"1 when even, up to N / k = {view.scene.n / view.scene.k:.3g} with hard gates.",
        ),
    ]


def sentence(view: Study) -> str:
    """The line of meaning under the picture."""
    scene, seen = view.scene, seen_now(view)
    share, sets = certain.percent(float(seen.saturation)), len(seen.hits)
    word = "active set" if sets == 1 else "active sets"
    if scene.shared and view.two_sided:
        return certain.shared_by_two(view)
    if scene.shared and scene.lam >= 1:
        return (
            f"The shared expert carries the mean, so the router sees the <b>centred</b> data at every offset: "
            f"<b>{sets}</b> {word}, <b>{share}</b> in the fullest one. Switch it off and play again."
        )
    where = f"in <b>{sets}</b> {word}, <b>{share}</b> of it in one"
    if math.isinf(view.certified):
        along = "This direction runs along a wall: however far it goes"
        return f"The data is {where}. {along}, it is <b>never certain</b> to be in {certain.end(view)}."
    end = certain.end(view)
    star = f"<b>t* = {offset_text(view.shown_certified)}</b>"
    if view.now >= view.shown_certified:
        help_ = certain.remedy(view)
        return f"The data is {where}: beyond {star} all of it is certain to be in {end}. {help_}"
    if view.star is None:
        return (
            f"The data is {where}. {star} is too far out to be shown: this direction all but runs "
            "along a wall, or the data is very large."
        )
    if view.far:
        return (
            f"The data is {where}. This direction runs close to a wall: only from {star} on is all of it certain to be "
            f"in {end}. Play follows it there; turn the data to see it collapse sooner."
        )
    return f"The data is {where}. As it slides out, {_fewer(view)}; from {star} on all of it is certain to be in {end}."


def _fewer(view: Study) -> str:
    fades = "" if view.router.central else "the bias fades and "
    return f"{fades}the router sees fewer directions"


@derived
def elsewhere(scene: Scene) -> float:
    """Share of the data that is sent elsewhere at twice its distance from the origin: 0 without a bias."""
    view = study(scene)
    X = view.seen_at(view.now, view.strength)
    return float((view.router.active_sets(X) != view.router.active_sets(2 * X)).any(axis=1).mean())


def bias_note(view: Study) -> str | None:
    """For a router with a bias: that it sees more than directions, and how much that is here."""
    if view.router.central:
        return None
    return (
        f"This router has a bias, so it does not see directions alone: <b>{elsewhere(view.scene):.0%}</b> of this data "
        "would be sent elsewhere at twice its distance from the origin. A router without a bias sends it to the same."
    )


def zoom_note(view: Study) -> str | None:
    """When the picture is zoomed out: by how much."""
    zoomed = half_at(view, view.now, view.strength) / first_half(view)
    if zoomed <= 1:
        return None
    return f"Zoomed out {zoomed:,.1f} times around the origin. In the lens, the cloud keeps its size."


def plane_note(view: Study) -> str | None:
    """For d > 2: what the picture is of."""
    d = view.router.d
    if d <= 2:
        return None
    if view.own is None or d == 3:
        plane = (
            "the plane through the offset direction u and the leading residual direction of the weights (their leading "
            "principal direction once u is removed); it turns along with u"
        )
    else:
        plane = "the plane through the data's mean direction (0°) and its leading residual direction"
    home = view.own
    own = "" if home is None else f" Its mean lies at offset {offset_text(home.offset)}, {home.place['direction']:g}°."
    return (
        f"All numbers are those of the <b>full space, d = {d}</b>. The picture is {plane}; points are projected to it, "
        f"in the colour of their own active set, so a point can lie over a cell that is not its own.{own}"
    )


def meaning_html(view: Study) -> str:
    """The line of meaning under the picture, and how far it is zoomed out."""
    hint = "".join(f'<p class="tv-hint">{note}</p>' for note in (bias_note(view), zoom_note(view)) if note)
    return f'<p class="tv-meaning tv-now">{sentence(view)}</p>{hint}'


def numbers_html(view: Study) -> str:
    """Angular collapse and load imbalance, beside each other."""
    made = (counts_html(collapse_counts(view), "Angular collapse"), counts_html(load_counts(view), "Load imbalance"))
    return f'{CSS}<div class="tv-beside tv-now"><div>{made[0]}</div><div>{made[1]}</div></div>'
