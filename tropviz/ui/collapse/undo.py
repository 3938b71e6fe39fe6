"""What would undo the collapse: the effect of every remedy on t* and on saturation, in one table."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import streamlit as st

from tropviz import Count, MoELayer, Router, collapse
from tropviz.core import presets
from tropviz.figures.collapse_curves import offset_text
from tropviz.language import numeral, phrase, say
from tropviz.ui import heavy
from tropviz.ui.collapse.picture import offset_name
from tropviz.ui.collapse.study import Study, study
from tropviz.ui.counts import written
from tropviz.ui.limits import EXPERTS
from tropviz.ui.scene import Scene, derived, model
from tropviz.ui.scene.part import change

#: Where the page waits for the balancing bias; scores (points times experts, some 30 microseconds each) up to which it
#: is found at once, and at all; products up to which the regions that the data reaches are looked up.
SLOT, AT_ONCE, MOST_SCORES, MOST_PRODUCTS = "remedies", 15_000, 1_300_000, 5e8


def _more_experts(scene: Scene) -> Router | None:
    """The same kind of router with twice the experts, the first N of them the same; None where that is not possible."""
    d, N = model.scene_dim(scene), 2 * scene.n
    if not presets.seeded(scene.router) or EXPERTS[1] < N:
        return None
    return Router(*presets.preset(scene.router, N, d, scene.seed), k=scene.k)


def certify(router: Router, radius: float, u: Any, two_sided: bool) -> float:
    """t* of the ball, or of both balls of a two-sided cloud."""
    return max(collapse.critical_offset(router, v, radius) for v in ([u, -u] if two_sided else [u]))


@derived
def _others(scene: Scene) -> list[tuple[str, str, Router, float, float]]:
    """(what, why, router, spread factor, t*) of the remedies that do not depend on the offset."""
    view = study(scene, 0.0)
    router, r = view.router, view.radius
    plans = [(say("Twice the spread"), say("the cap is wider"), router, 2.0)]
    plans += [
        (f"k = {k}", say("other walls"), Router(router.W, router.b, k), 1.0)
        for k in sorted({1, min(2 * scene.k, scene.n - 1)} - {scene.k})
    ]
    more = _more_experts(scene)
    if more is not None:
        plans.append((say("{n} experts", n=more.N), say("the same {n} and as many again", n=scene.n), more, 1.0))
    two = view.two_sided
    return [(*plan, certify(plan[2], plan[3] * r, view.u, two)) for plan in plans]


@dataclass(frozen=True)
class Line:
    """One line of the table: a router, what the data does with it, and t*; None where t* has no closed form."""

    name: str
    why: str
    certified: float | None
    seen: collapse.Routed
    regions: Count | None = None
    worse: tuple[str, ...] = ()


@derived
def measured(scene: Scene) -> tuple[collapse.Remedy, ...]:
    """Every remedy on the scene's data, like with like: all made for the same data, this or that of another offset."""
    view = study(scene)
    t, lam = view.now if scene.frozen < 0 else float(scene.frozen), float(scene.lam)
    mean = view.share * t * view.u
    return collapse.remedies(
        view.router, view.seen_at(view.now, 0.0), view.seen_at(t, 0.0), lam, _layer(scene, view), mean
    )


def _layer(scene: Scene, view: Study) -> MoELayer | None:
    """The layer, if the regions its data reaches are quickly found."""
    work = len(view.z) * scene.n * scene.h * view.router.d
    found: MoELayer | None = model.own_layer(scene) if work <= MOST_PRODUCTS else None
    return found


def scores(view: Study) -> int:
    """What the balancing bias is found from: points times experts."""
    return len(view.z) * view.router.N


_NAMES = {
    "as it is": (phrase("As it is"), phrase("no remedy")),
    "centring": (phrase("Centring"), phrase("the router sees x − μ")),
    "shared expert": (phrase("Shared expert carries the mean, λ = {lam:g}"), phrase("the router sees x − λμ")),
    "bias": (phrase("The same as a bias, b − λWμ"), phrase("the same cells, without a shared expert")),
    "balancing": (
        phrase("Balancing bias"),
        phrase("b with which every expert gets the same load; it knows no mean"),
    ),
}


def _star(view: Study, row: collapse.Remedy) -> float | None:
    """t* of a remedy: frozen, that of its router; following, that of the data as its router sees it."""
    if row.name == "as it is":
        return view.certified
    if view.scene.frozen >= 0:
        return certify(row.router, view.radius, view.u, view.two_sided)
    if row.name == "balancing":
        return None
    strength = 1.0 if row.name == "centring" else float(view.scene.lam)
    return collapse.rectified_offset(view.certified, strength * view.share)


def variants(view: Study) -> tuple[list[Line], list[Line]]:
    """The scene as it is with every remedy, and other routers and data for comparison, all at the scene's offset."""
    remedies = []
    for row in measured(view.scene):
        name, why = _NAMES[row.name]
        remedies.append(
            Line(say(name, lam=view.scene.lam), say(why), _star(view, row), row.seen, row.regions, row.worse)
        )
    plain, others = view.seen_at(view.now, 0.0), []
    for name, why, other, wider, certified in _others(view.scene):
        X = plain + (wider - 1.0) * view.z if wider != 1.0 else plain
        seen = collapse.routed(other, X, view.scene.seed)
        others.append(Line(name, why, certified, seen, worse=collapse.worse(seen, remedies[0].seen)))
    return remedies, others


def _row_html(line: Line) -> str:
    share = float(line.seen.hits[0] / line.seen.n)
    low, high = (float(end) for end in collapse.fullest_interval(int(line.seen.hits[0]), line.seen.n))
    star = "–" if line.certified is None else offset_text(line.certified)
    span = say("{low:.0f} to {high:.0f}", low=100 * low, high=100 * high)
    sets = line.seen.effective_sets  # as in the counts beside the picture
    effective = numeral(f"{'≥ ' if sets.kind == 'lower' else ''}{float(sets):.3g}")
    bad = f'<span class="tv-worse">▲ {_worse(line)}</span>' if line.worse else ""
    return (
        f'<tr><th scope="row">{escape(line.name)}<span>{escape(line.why)}</span>{bad}</th><td>{star}</td>'
        f"<td>{100 * share:.0f} %<span>{span}</span></td>"
        f"<td>{effective}</td><td>{numeral(f'{len(line.seen.hits):,}')}</td>"
        f"<td>{'–' if line.regions is None else written(line.regions)}</td>"
        f"<td>{numeral(f'{float(line.seen.imbalance):.2f}')}</td></tr>"
    )


def _worse(line: Line) -> str:
    return say("worse: {names}", names=", ".join(map(say, line.worse)))


def table_html(view: Study) -> str:
    """The remedies as a table."""
    remedies, others = variants(view)
    made = (
        say("all follow the data")
        if view.scene.frozen < 0
        else say("all made for t = {frozen}", frozen=offset_name(view.scene.frozen))
    )
    heads = (
        ("", ""),
        (say("certified t*"), say("exact")),
        (say("saturation at t = {offset}", offset=offset_name(float(view.scene.offset))), say("sampled, 95 %")),
        (say("effective sets"), say("sampled")),
        (say("sets reached"), ""),
        (say("regions reached"), ""),
        (say("load imbalance"), say("0 is even")),
    )
    head = "".join(f'<th scope="col">{what}{f"<span>{kind}</span>" if kind else ""}</th>' for what, kind in heads)
    apart = (
        '<tr><th scope="rowgroup" colspan="7" class="tv-apart">'
        + say("Another router or other data, for comparison")
        + "</th></tr>"
    )
    body = "".join(map(_row_html, remedies)) + apart + "".join(map(_row_html, others))
    title, name = say("What would undo it ({made})", made=made), say("What would undo it")
    return (
        f'<div class="tv-wide" role="region" aria-label="{name}" tabindex="0"><table class="tv-undo">'
        f"<caption>{title}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def verdict(view: Study) -> str:
    """Whether a shared expert is needed here, from the numbers in the table."""
    _, centring, shared, bias, balancing = measured(view.scene)
    effective = [float(row.seen.effective_sets) for row in (centring, shared, bias, balancing)]
    best = max(
        (effective[0], say("centring")), (effective[2], say("the bias")), (effective[3], say("the balancing bias"))
    )
    told = say(
        "{best} leaves {best_2:.3g} effective sets, the shared expert {effective:.3g}",
        best=best[1],
        best_2=best[0],
        effective=effective[1],
    )
    if best[0] < effective[1]:
        said = say("Measured here: {told}", told=told)
    else:
        said = say("Measured here: it is <b>not necessary</b>, {told}", told=told)
    return say(
        "Is a shared expert necessary, as the paper's claim “affine rectifier” has it? Proved: "
        "for the router, a shared expert that carries λμ and the bias −λWμ are the same, and at "
        "λ = 1 so is centring, as long as all of them follow the data or none does. {said}.",
        said=said,
    )


def what_carries(view: Study) -> str:
    """What a shared expert does not do."""
    if view.two_sided:
        mean = say("next to no mean") if view.share else say("no mean")
        return say(
            "Two opposed clouds have {mean}: what carries the mean leaves either cloud far out on its side.", mean=mean
        )
    return say(
        "A shared expert that runs in parallel does not change the input of its own layer's "
        "router: the mean must reach the output without being routed."
    )


_TABLE_CSS = (
    "<style>.tv-undo{width:100%;border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}"
    ".tv-undo caption{text-align:left;font-size:.74rem;font-weight:640;letter-spacing:.07em;text-transform:uppercase;"
    "color:var(--tv-muted);padding-bottom:.35rem}.tv-undo th,.tv-undo td{padding:.4rem .3rem;border:0;"
    "border-top:1px solid var(--tv-line);text-align:right;vertical-align:top;font-weight:560}"
    ".tv-undo th[scope=row]{text-align:left;position:sticky;left:0;background:var(--tv-back)}"
    ".tv-undo span{display:block;font-size:.76rem;font-weight:400;"
    "color:var(--tv-muted);line-height:1.35}.tv-undo td{font-size:1rem}.tv-wide{overflow-x:auto}"
    ".tv-undo thead th{font-size:.82rem}.tv-undo th[scope=row]{min-width:9.5rem}.tv-undo .tv-apart{text-align:left;"
    "padding-top:.9rem;font-size:.8rem;color:var(--tv-muted)}.tv-undo .tv-worse{color:var(--tv-refused);"
    "font-weight:600}</style>"
)


def show_table(scene: Scene) -> None:
    """Show the remedies, and in fairness what a shared expert does not do."""
    view = study(scene)
    if not _there(view):
        return
    st.html(_TABLE_CSS + table_html(view))
    if not scene.embed:
        if scene.frozen < 0:
            st.button(
                say("Freeze all remedies at t = {now}", now=offset_name(view.now)), on_click=change(frozen=view.now)
            )
        else:
            st.button(say("Let all remedies follow the data"), on_click=change(frozen=-1.0))
    st.html(f'<p class="tv-hint">{verdict(view)} {what_carries(view)}</p>')


def _there(view: Study) -> bool:
    """Whether the remedies are measured; a balancing bias of much data is found in the pool."""
    scene = view.scene
    if scores(view) > MOST_SCORES:
        most = MOST_SCORES // view.router.N
        told = say(
            "The remedies are measured on at most {most:,} points of {n} experts: choose fewer points.",
            most=most,
            n=view.router.N,
        )
        st.html(f'<p class="tv-note" role="status">{told}</p>')
        return False
    if scores(view) <= AT_ONCE or measured.known(scene) is not None:
        heavy.leave(SLOT)
        return True
    here = " ".join(map(str, (scene.link("collapse"), scene.router == "file" and scene.own_router.token)))
    if scene.unbalanced == here:
        heavy.leave(SLOT)
        st.button(say("Measure the remedies"), on_click=change(unbalanced=""))
        return False
    return heavy.derive(
        scene, SLOT, [(say("balancing the loads"), measured, ())], say("Remedies"), change(unbalanced=here)
    )
