"""What would undo the collapse: the effect of every remedy on t* and on saturation, in one table."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

import streamlit as st

from tropviz import Router, collapse
from tropviz.core import presets
from tropviz.figures.collapse_curves import offset_text
from tropviz.ui.collapse.picture import offset_name
from tropviz.ui.collapse.study import Study, seen_now, study
from tropviz.ui.limits import EXPERTS
from tropviz.ui.scene import Scene, derived, model


def _more_experts(scene: Scene) -> Router | None:
    """The same kind of router with twice the experts, the first N of them the same; None where that is not possible."""
    d, N = model.scene_dim(scene), 2 * scene.n
    if scene.router not in {"affine", "linear"} or EXPERTS[1] < N:
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
    plans = [("Twice the spread", "the cap is wider", router, 2.0)]
    plans += [
        (f"k = {k}", "other walls", Router(router.W, router.b, k), 1.0)
        for k in sorted({1, min(2 * scene.k, scene.n - 1)} - {scene.k})
    ]
    more = _more_experts(scene)
    if more is not None:
        plans.append((f"{more.N} experts", f"the same {scene.n} and as many again", more, 1.0))
    two = view.two_sided
    return [(*plan, certify(plan[2], plan[3] * r, view.u, two)) for plan in plans]


def variants(view: Study) -> Iterator[tuple[str, str, float, Any]]:
    """(what, why, t*, points in each active set at the scene's offset) of the scene as it is and of every remedy."""
    scene, router, t = view.scene, view.router, view.now
    share, lam, plain = view.share, float(scene.lam), view.seen_at(t, 0.0)

    def hits(other: Router, X: Any) -> Any:
        return collapse.occupied(other, X)[1]

    here = seen_now(view).hits  # already counted for the numbers above
    yield "As it is", "no shared expert", view.certified, hits(router, plain) if scene.shared else here
    carried = here if scene.shared else hits(router, view.seen_at(t, lam))
    yield (
        f"Shared expert carries the mean, λ = {lam:g}",
        "the router sees x − λμ at every offset",
        collapse.rectified_offset(view.certified, lam * share),
        carried,
    )
    biased = collapse.rectified(router, share * t * view.u, lam)
    yield (
        "The same as a bias, b − λWμ",
        "the same cells now, but fixed for this μ: if the data moves on, it collapses later",
        certify(biased, view.radius, view.u, view.two_sided),
        carried,  # W (x - lambda mu) + b, written in another order
    )
    for name, why, other, wider, certified in _others(scene):
        yield name, why, certified, hits(other, plain + (wider - 1.0) * view.z if wider != 1.0 else plain)


def table_html(view: Study) -> str:
    """The remedies as a table."""
    body = []
    for name, why, t, hits in variants(view):
        share = float(hits[0] / hits.sum())
        low, high = (float(end) for end in collapse.fullest_interval(int(hits[0]), int(hits.sum())))
        body.append(
            f'<tr><th scope="row">{escape(name)}<span>{escape(why)}</span></th><td>{offset_text(t)}</td>'
            f"<td>{100 * share:.0f} %<span>{100 * low:.0f} to {100 * high:.0f}</span></td>"
            f"<td>{2 ** collapse.entropy_bits(hits):.3g}</td></tr>"
        )
    head = (
        '<tr><th scope="col"></th><th scope="col">certified t*<span>exact</span></th>'
        f'<th scope="col">saturation at t = {offset_name(float(view.scene.offset))}<span>sampled, 95 %</span></th>'
        '<th scope="col">effective sets<span>sampled</span></th></tr>'
    )
    return (
        f'<table class="tv-undo"><caption>What would undo it</caption><thead>{head}</thead>'
        f"<tbody>{''.join(body)}</tbody></table>"
    )


_TABLE_CSS = (
    "<style>.tv-undo{width:100%;border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}"
    ".tv-undo caption{text-align:left;font-size:.74rem;font-weight:640;letter-spacing:.07em;text-transform:uppercase;"
    "color:var(--tv-muted);padding-bottom:.35rem}.tv-undo th,.tv-undo td{padding:.4rem .3rem;border:0;"
    "border-top:1px solid var(--tv-line);text-align:right;vertical-align:top;font-weight:560}"
    ".tv-undo th[scope=row]{text-align:left}.tv-undo span{display:block;font-size:.76rem;font-weight:400;"
    "color:var(--tv-muted);line-height:1.35}.tv-undo td{font-size:1.05rem}</style>"
)


def show_table(view: Study) -> None:
    """Show the remedies, and in fairness what a shared expert does not do."""
    st.html(_TABLE_CSS + table_html(view))
    st.html(
        '<p class="tv-hint">A shared expert that runs in parallel does not change the input of its own layer\'s '
        "router. What undoes the collapse is that the mean reaches the output without being routed; centring the "
        "router's input, or the bias, does the same for the router.</p>"
    )
