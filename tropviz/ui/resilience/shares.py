"""Share of the active sets kept against dimension: the law, this router, random routers, published shapes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tropviz import Count, slice_law
from tropviz.figures.picture import Figure
from tropviz.figures.resilience import ShareCurve, SharePoint, share_figure
from tropviz.language import say
from tropviz.ui.capacity.view import gain_star, star
from tropviz.ui.counts import CountRow
from tropviz.ui.resilience.measure import law_curve, own_share, published, random_share
from tropviz.ui.resilience.routers import plan
from tropviz.ui.scene import Scene, derived, model


@dataclass(frozen=True, eq=False)
class Shares:
    """What the first chart shows.

    Attributes
    ----------
    N, k : int
    affine : bool
    law : ShareCurve
    others : tuple of ShareCurve
        Published shapes, once they are there: the law does not wait for them.
    own, random : tuple of SharePoint
        What has been measured so far.
    middle, width : float
        Where the share rises from 0 to 1: d*, and twice the standard deviation.
    gain, here : Count
        d_gain; the gain in regions that is expected in `whole` dimensions.
    whole : int
        The first whole dimension in which half of the sets are there.
    """

    N: int
    k: int
    affine: bool
    law: ShareCurve
    others: tuple[ShareCurve, ...]
    own: tuple[SharePoint, ...]
    random: tuple[SharePoint, ...]
    middle: float
    width: float
    gain: Count
    here: Count
    whole: int

    @property
    def sets(self) -> int:
        """All active sets, C(N, k)."""
        return math.comb(self.N, self.k)


@derived
def _law(scene: Scene) -> ShareCurve:
    name = say("slice law, N = {n}, k = {k}", n=scene.n, k=scene.k)
    return law_curve(scene.n, scene.k, name, model.scene_affine(scene))


def shares_of(scene: Scene) -> Shares:
    """The law of a scene, and what has been measured of it so far."""
    N, k, affine = scene.n, scene.k, model.scene_affine(scene)
    at = sorted(d for some in plan(scene) for d in some)
    own, random = (
        tuple(SharePoint(d, found[0]) for d in at if (found := make.known(scene, d)))
        for make in (own_share, random_share)
    )
    others = published.known(scene)
    middle, width = slice_law.resilience_dimension(N, k, affine), 2 * slice_law.resilience_spread(N, k)
    whole = slice_law.dimension_for(N, k, 0.5, affine)
    regions = gain_star(N, k, scene.h), slice_law.expected_gain(N, k, scene.h, whole, affine), whole
    return Shares(N, k, affine, _law(scene), others[0] if others else (), own, random, middle, width, *regions)


def chart(view: Shares, dark: bool) -> Figure:
    """Share kept against dimension."""
    return share_figure(view.law, view.others, view.own, view.random, view.middle, view.width, dark)


def key(view: Shares) -> str:
    """What its lines and points are, as HTML."""
    biased = say("with a bias") if view.affine else say("without a bias")
    items = (
        ("violet", "━", say("slice law, routers {biased}", biased=biased)),
        ("green", "●", say("this router, counted")),
        ("green", "○", say("this router, sampled with its 95 % interval")),
        ("blue", "▮", say("random routers: 95 % interval of their mean, not of a single one")),
        ("muted", "─", say("published models, without a bias (point at a dot for its name)")),
    )
    spans = "".join(f'<span><b style="color:var(--tv-{c})">{sign}</b> {text}</span>' for c, sign, text in items)
    return f'<p class="tv-hint tv-key">{spans}</p>'


def alt(view: Shares) -> str:
    """The chart in words."""
    return say(
        "Expected share of the {sets:,} active sets that a random router keeps, against the "
        "dimension of a flat slice: it rises from 0 to 1 around d* = {middle:.2f}, within "
        "{width:.1f} to each side. Points: this router and random routers. Thin lines: published "
        "shapes.",
        sets=view.sets,
        middle=view.middle,
        width=view.width,
    )


def sentence(view: Shares) -> str:
    """The line of meaning under the chart."""
    half = view.whole
    in_plane = Count(100 * slice_law.share_kept(view.N, view.k, 2, view.affine), "expected", "")
    return (
        say(
            "A random router of {n} experts, {k} active, keeps <b>{in_plane} %</b> of its {sets:,} "
            "active sets in a plane and half of them from about <b>d* = {middle:.2f}</b> dimensions "
            "on (a slice has a whole number of them: {half}); the rise takes about {width:.0f}. "
            "Below it most active <i>sets</i> do not exist, above it most do; half of the multiplier "
            "of the <i>regions</i> is there only from d<sub>gain</sub> = <b>{gain:,}</b> "
            "on; at {half} it is {here} of {count} on average.",
            n=view.N,
            k=view.k,
            in_plane=in_plane,
            sets=view.sets,
            middle=view.middle,
            half=half,
            width=2 * view.width,
            gain=view.gain.value,
            here=view.here,
            count=Count(view.sets, "exact", ""),
        )
        + _outside(view)
        + (say(" The bias is counted: it is worth half a dimension.") if view.affine else "")
    )


def _outside(view: Shares) -> str:
    """Why a router on screen may lie beside the bar of the mean."""
    bars = {p.d: p.share.interval for p in view.random if p.share.interval}
    beside = [
        p.d
        for p in view.own
        if p.share.interval is None and p.d in bars and not bars[p.d][0] <= p.share.value <= bars[p.d][1]
    ]
    if not beside:
        return ""
    at = "d = " + ", ".join(map(str, beside[:3])) + (say(" and more") if len(beside) > 3 else "")
    return say(
        " This router lies outside the bar in {at}: the bar is where the <i>mean</i> lies, single routers scatter.",
        at=at,
    )


def rows(view: Shares) -> list[CountRow]:
    """The law in numbers, and this router beside it."""
    N, k, affine = view.N, view.k, view.affine
    width = Count(view.width, "expected", "two standard deviations of the codimension law")
    out: list[CountRow] = [
        (
            say("Active sets C(N,k)"),
            Count(view.sets, "exact", f"C({N}, {k})"),
            say("The promise, a maximum over weights."),
        ),
        (
            say("Designed, chosen weights: all of them from d ="),
            Count(min(2 * k, 2 * (N - k), N - 1), "upper", "min(2k, 2(N - k), N - 1)", "sufficient, not necessary"),
            say("Weights on a moment curve keep every active set from here on."),
        ),
        (
            say("Resilience dimension d*"),
            star(N, k, affine),
            say("About half of the active sets are there from here on, not half of the regions' gain."),
        ),
        (say("Width of the rise (±)"), width, say("Around d*.")),
        (
            say("Half of the regions' gain from d_gain ="),
            view.gain,
            say("Of the region multiplier; d* is of the active sets."),
        ),
        (
            say("Gain in regions at d = {whole}, mean", whole=view.whole),
            view.here,
            say("Over a dense layer of width kH; C(N,k) = {sets:,}.", sets=view.sets),
        ),
    ]
    for share in (0.5, 0.99):
        d = slice_law.dimension_for(N, k, share, affine)
        count = Count(d, "expected", "slice law for the router's kind")
        means = say(" d* = {middle:.2f} itself is a mean.", middle=view.middle) if d else ""
        out.append((say("First d that keeps {share:.0%}", share=share), count, _whole(view, d) + means))
    own = {p.d: p.share for p in view.own}
    for d in (2, 3):
        if d < N - 1:
            cells = slice_law.expected_cells(N, k, d, affine)
            out.append(
                (say("Random router: cells, d = {d}", d=d), cells, say("The law for the kind of router on screen."))
            )
        if d in own and own[d].interval is None:
            count = Count(round(own[d].value * view.sets), own[d].kind, own[d].method)
            out.append((say("This router: cells, d = {d}", d=d), count, say("Counted.")))
    return out


def _whole(view: Shares, d: int) -> str:
    """What the law keeps in a whole dimension and in the one below, which is why it is that one."""
    shares = {at: slice_law.share_kept(view.N, view.k, at, view.affine) for at in (d - 1, d) if at >= 0}
    parts = [say("{share:.1f} % in d = {at}", share=100 * share, at=at) for at, share in shares.items()]
    return say("A slice has a whole dimension: the law keeps {names}.", names=" and ".join(parts))
