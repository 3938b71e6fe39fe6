"""The Angular collapse page in words and numbers: counts, the line of meaning, how to read it."""

from __future__ import annotations

import math
from typing import Any

from tropviz import Count, collapse
from tropviz.figures.collapse_curves import offset_text
from tropviz.language import plural, say
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
    ball = say("circle") if d == 2 else say("ball")
    edge = "" if view.scene.cloud == "ball" and view.own is None else say(", the smallest that holds this sample")
    zoom = ""
    if view.far:
        zoom = say(
            " t* is far out: the picture zooms out around the origin to follow, and a <b>lens</b> "
            "keeps the cloud and the cells around it in sight."
        )
    return say(
        "{curve} The dotted {ball}{edge}, is what t* is of. <b>Orange</b>: the cap, the "
        "directions in which the router sees the {ball}; its share falls as the dotted orange "
        "curve. Dots on the ring are the directions of the points; pale cells hold little of the "
        "data.{zoom}",
        curve=certain.curve(view, ball),
        ball=ball,
        edge=edge,
        zoom=zoom,
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
            say("Whole Gaussian: with its mean, at least"),
            Count(low, "lower", "1 - sum_ij Phi(-m_ij / sigma), m_ij the mean's distances to the walls of its cell"),
            say(
                "A Gaussian has no edge, so a few draws always fall outside any ball; this share of all "
                "draws is certain to be routed as the mean is."
            ),
            "share",
        ),
        (
            say("Whole Gaussian: with its mean, at most"),
            Count(high, "upper", "Phi(m / sigma), m the mean's distance to the nearest wall"),
            say("No more of all draws can be routed as the mean is."),
            "share",
        ),
    ]
    if math.isfinite(view.shown_certified):
        low, _ = _gaussian_at_star(view.scene)
        rows.append(
            (
                say("Whole Gaussian at t*, at least"),
                Count(low, "lower", "1 - sum_ij Phi(-m_ij / sigma) at t*"),
                say("t* is of the ball around this sample; of all draws, so much is certain to be in one set there."),
                "share",
            )
        )
    return rows


def collapse_counts(view: Study) -> list[CountRow | tuple[str, Count, str, str]]:
    """Angular collapse in numbers."""
    seen, scene = seen_now(view), view.scene
    rows: list[Any] = [
        (
            say("Saturation"),
            seen.saturation,
            say("Share of the data in its fullest active set; 100 % is collapse."),
            "share",
        )
    ]
    if view.router.d == 2 and scene.cloud == "ball" and view.own is None:
        centre = (1 - view.strength) * scene.offset * view.u
        share = float(collapse.disk_shares(view.router, centre, view.radius)[1][0])
        rows.append(
            (
                say("of the whole disk"),
                Count(share, "exact", "circle and polygon, closed form"),
                say("Not sampled."),
                "share",
            )
        )
    if is_gaussian(view):
        rows += gaussian_counts(view)
    ball = (
        say("of the ball")
        if scene.cloud == "ball" and view.own is None
        else say("of the smallest ball around the data, r = {radius:.6g}", radius=view.radius)
    )
    rows += [
        (say("Routing entropy, bits"), seen.entropy, say("Over active sets.")),
        (
            say("Effective active sets"),
            seen.effective_sets,
            say("2^entropy: so many equally full sets have that entropy."),
        ),
        (say("Active sets hit"), seen.sets_hit, say("Different ones in this sample.")),
        (
            say("Certified offset t*"),
            offset_count(view.shown_certified, "r over the nearest wall's slope along u"),
            say("From here on all {ball} is in {end}.", ball=ball, end=certain.end(view))
            if view.two_sided
            else say("From here on all {ball} is in one active set.", ball=ball),
            "offset",
        ),
        (
            say("Cap of directions"),
            Count(cap(view, view.now, view.strength), "exact", "half the regularised incomplete beta function"),
            say("Share of the unit sphere the data can be seen in. A small cap alone is no collapse."),
        ),
    ]
    return rows


def load_counts(view: Study) -> list[CountRow]:
    """Load imbalance in numbers: another thing."""
    seen = seen_now(view)
    return [
        (say("Coefficient of variation"), seen.imbalance, say("0 when every expert gets the same.")),
        (
            say("Switch loss"),
            seen.switch_loss,
            say("1 when even, up to N / k = {k:.3g} with hard gates.", k=view.scene.n / view.scene.k),
        ),
    ]


def sentence(view: Study) -> str:
    """The line of meaning under the picture."""
    scene, seen = view.scene, seen_now(view)
    share, sets = certain.percent(float(seen.saturation)), len(seen.hits)
    many = plural("<b>{n}</b> active set", "<b>{n}</b> active sets", sets)
    if scene.shared and view.two_sided:
        return certain.shared_by_two(view)
    if scene.shared and scene.lam >= 1:
        return say(
            "The shared expert carries the mean, so the router sees the <b>centred</b> data at every "
            "offset: {sets}, <b>{share}</b> in the fullest one. Switch it off and play "
            "again.",
            sets=many,
            share=share,
        )
    where = say("in {sets}, <b>{share}</b> of it in one", sets=many, share=share)
    if math.isinf(view.certified):
        return say(
            "The data is {where}. This direction runs along a wall: however far it goes, it is <b>never certain</b> to "
            "be in {end}.",
            where=where,
            end=certain.end(view),
        )
    end = certain.end(view)
    star = f"<b>t* = {offset_text(view.shown_certified)}</b>"
    if view.now >= view.shown_certified:
        help_ = certain.remedy(view)
        return say(
            "The data is {where}: beyond {star} all of it is certain to be in {end}. {help}",
            where=where,
            star=star,
            end=end,
            help=help_,
        )
    if view.star is None:
        return say(
            "The data is {where}. {star} is too far out to be shown: this direction all but runs "
            "along a wall, or the data is very large.",
            where=where,
            star=star,
        )
    if view.far:
        return say(
            "The data is {where}. This direction runs close to a wall: only from {star} on is all of "
            "it certain to be in {end}. Play follows it there; turn the data to see it collapse "
            "sooner.",
            where=where,
            star=star,
            end=end,
        )
    return say(
        "The data is {where}. As it slides out, {fewer}; from {star} on all of it is certain to be in {end}.",
        where=where,
        fewer=_fewer(view),
        star=star,
        end=end,
    )


def _fewer(view: Study) -> str:
    if view.router.central:
        return say("the router sees fewer directions")
    return say("the bias fades and the router sees fewer directions")


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
    return say(
        "This router has a bias, so it does not see directions alone: <b>{elsewhere:.0%}</b> of "
        "this data would be sent elsewhere at twice its distance from the origin. A router "
        "without a bias sends it to the same.",
        elsewhere=elsewhere(view.scene),
    )


def zoom_note(view: Study) -> str | None:
    """When the picture is zoomed out: by how much."""
    zoomed = half_at(view, view.now, view.strength) / first_half(view)
    if zoomed <= 1:
        return None
    return say(
        "Zoomed out {zoomed:,.1f} times around the origin. In the lens, the cloud keeps its size.", zoomed=zoomed
    )


def plane_note(view: Study) -> str | None:
    """For d > 2: what the picture is of."""
    d = view.router.d
    if d <= 2:
        return None
    if view.own is None or d == 3:
        plane = say(
            "the plane through the offset direction u and the leading residual direction of the "
            "weights (their leading principal direction once u is removed); it turns along with u"
        )
    else:
        plane = say("the plane through the data's mean direction (0°) and its leading residual direction")
    home = view.own
    own = (
        ""
        if home is None
        else say(
            " Its mean lies at offset {offset}, {direction:g}°.",
            offset=offset_text(home.offset),
            direction=home.place["direction"],
        )
    )
    return say(
        "All numbers are those of the <b>full space, d = {d}</b>. The picture is {plane}; points "
        "are projected to it, in the colour of their own active set, so a point can lie over a "
        "cell that is not its own.{own}",
        d=d,
        plane=plane,
        own=own,
    )


def meaning_html(view: Study) -> str:
    """The line of meaning under the picture, and how far it is zoomed out."""
    hint = "".join(f'<p class="tv-hint">{note}</p>' for note in (bias_note(view), zoom_note(view)) if note)
    return f'<p class="tv-meaning tv-now">{sentence(view)}</p>{hint}'


def numbers_html(view: Study) -> str:
    """Angular collapse and load imbalance, beside each other."""
    made = (
        counts_html(collapse_counts(view), say("Angular collapse")),
        counts_html(load_counts(view), say("Load imbalance")),
    )
    return f'{CSS}<div class="tv-beside tv-now"><div>{made[0]}</div><div>{made[1]}</div></div>'
