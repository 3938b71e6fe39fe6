"""Under the picture of the Angular collapse page: what would undo it, every direction, more dimensions, downloads."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import plotly
import streamlit as st

from tropviz import Router, collapse
from tropviz.core import presets
from tropviz.core.limits import EXPERTS
from tropviz.figures import collapse as drawn
from tropviz.figures import collapse_curves as curves_drawn
from tropviz.figures.collapse_curves import offset_text
from tropviz.figures.colour import cell_colours
from tropviz.ui import collapse_view, model
from tropviz.ui.canvas import canvas
from tropviz.ui.collapse_view import FRAGMENTS, Study
from tropviz.ui.later import in_session
from tropviz.ui.scene import Scene, read_scene, rerun, update

#: Dimensions of the dimension story, and its t axis in radii of the data.
DIMENSIONS = (2, 8, 32, 256, 2048, 4096)
STORY = np.linspace(0.0, 12.0, 49)
STORY_POINTS = 1000

# --- what would undo it ---


def _more_experts(scene: Scene) -> Router | None:
    """The same kind of router with twice the experts, the first N of them the same; None where that is not possible."""
    d, N = model.scene_dim(scene), 2 * scene.n
    if scene.router not in {"affine", "linear"} or EXPERTS[1] < N:
        return None
    make = presets.random_affine if scene.router == "affine" else presets.random_linear
    return Router(*make(N, d, scene.seed), scene.k)


def certify(router: Router, radius: float, u: Any, two_sided: bool) -> float:
    """t* of the ball, or of both balls of a two-sided cloud."""
    return max(collapse.critical_offset(router, v, radius) for v in ([u, -u] if two_sided else [u]))


def _others(view: Study) -> list[tuple[str, str, Router, float, float]]:
    """(what, why, router, spread factor, t*) of the remedies that do not depend on the offset."""
    scene, router, r = view.scene, view.router, view.radius
    plans = [("Twice the spread", "the cap is wider", router, 2.0)]
    plans += [
        (f"k = {k}", "other walls", Router(router.W, router.b, k), 1.0)
        for k in sorted({1, min(2 * scene.k, scene.n - 1)} - {scene.k})
    ]
    more = _more_experts(scene)
    if more is not None:
        plans.append((f"{more.N} experts", f"the same {scene.n} and as many again", more, 1.0))
    two = bool(view.side.min() < 0)
    return [(*plan, certify(plan[2], plan[3] * r, view.u, two)) for plan in plans]


def variants(view: Study) -> Iterator[tuple[str, str, float, Any]]:
    """(what, why, t*, points in each active set at the scene's offset) of the scene as it is and of every remedy."""
    scene, router, t = view.scene, view.router, float(view.scene.offset)
    share, lam, plain = float(view.side.mean()), float(scene.lam), view.seen_at(t, 0.0)

    def hits(other: Router, X: Any) -> Any:
        return collapse.occupied(other, X)[1]

    here = collapse_view.seen_now(view).hits  # already counted for the numbers above
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
        certify(biased, view.radius, view.u, bool(view.side.min() < 0)),
        carried,  # W (x - lambda mu) + b, written in another order
    )
    for name, why, other, wider, certified in model.kept(
        scene, "collapse remedies", collapse_view.DATA, lambda: _others(view)
    ):
        yield name, why, certified, hits(other, plain + (wider - 1.0) * view.z if wider != 1.0 else plain)


def table_html(view: Study) -> str:
    """The remedies as a table."""
    body = []
    for name, why, t, hits in variants(view):
        share = float(hits[0] / hits.sum())
        low, high = (float(v) for v in collapse.wilson(share, int(hits.sum())))
        body.append(
            f'<tr><th scope="row">{escape(name)}<span>{escape(why)}</span></th><td>{offset_text(t)}</td>'
            f"<td>{100 * share:.0f} %<span>{100 * low:.0f} to {100 * high:.0f}</span></td>"
            f"<td>{2 ** collapse.entropy_bits(hits):.3g}</td></tr>"
        )
    head = (
        '<tr><th scope="col"></th><th scope="col">certified t*<span>exact</span></th>'
        f'<th scope="col">saturation at t = {view.scene.offset:g}<span>sampled, 95 %</span></th>'
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


# --- directions ---


def _directions(view: Study) -> collapse.Directions:
    plane = None if view.router.d == 2 else view.turns_in
    names = ("n", "k", "dim", "seed", "points", "spread", "cloud")
    return model.kept(
        view.scene, "collapse directions", names, lambda: collapse.all_directions(view.router, view.radius, plane=plane)
    )


def show_directions(view: Study, dark: bool) -> None:
    """t* for every direction of the picture's plane; a click turns the data that way."""
    st.html('<p class="tv-counts-title">Every direction: where collapse is certain</p>')
    if view.router.d == 1:
        st.caption("With one input there are two directions only: 0° and 180°.")
        return
    found = _directions(view)
    units = np.stack([np.cos(found.angles), np.sin(found.angles)], axis=1)
    # far out along a direction the bias no longer matters: the colour is that of the set it ends in
    ends = Router(view.router.W @ view.turns_in.T, None, view.scene.k).active_sets(units)
    colours = cell_colours(view.flat.W, ends, dark)
    finite = found.offsets[np.isfinite(found.offsets)]
    reach = max(view.reach, float(np.quantile(finite, 0.6)) if len(finite) else view.reach)
    at = reach * view.heading
    figure = curves_drawn.directions_figure(
        found.angles,
        found.offsets,
        colours,
        reach=reach,
        best=(found.best_angle, found.best_offset),
        never=found.never,
        at=(float(at[0]), float(at[1])),
        dark=dark,
    )
    best = math.degrees(found.best_angle)
    best = best - 360 if best > 180 else best
    canvas(
        figure,
        key="collapse_directions",
        alt=f"Certified offset in every direction. The data collapses first towards {best:.0f} degrees, at "
        f"{offset_text(found.best_offset)}. {len(found.never)} directions never collapse.",
        view="directions",
        height=380,
        toolbar=False,
        on_click=turned,
    )
    walls = f"{len(found.never)} directions run along a wall and <b>never</b> collapse" if len(found.never) else ""
    st.html(
        '<p class="tv-hint">Coloured: all of the data is certain to be in one set. Grey: not certain. '
        f"It collapses first towards <b>{best:.0f}°</b>, from t* = <b>{offset_text(found.best_offset)}</b> (star); "
        f"{walls or 'no direction escapes it'}. Click to turn the data.</p>"
    )


def turned(event: dict[str, Any]) -> None:
    """A click in the polar picture turns the data that way."""
    update(direction=math.degrees(math.atan2(float(event["y"]), float(event["x"]))))
    rerun(*FRAGMENTS)


# --- dimensions ---


@st.cache_data(max_entries=24, show_spinner=False)
def _story(N: int, k: int, seed: int) -> list[tuple[int, float, Any, Any]]:
    rows = collapse.dimension_story(N, k, DIMENSIONS, STORY, n=STORY_POINTS, seed=seed)
    return [(r.d, r.certified, r.curves.saturation, r.log10_cap) for r in rows]


def show_dimensions(scene: Scene, dark: bool) -> None:
    """The same sweep for d = 2 to 4096: the cap vanishes, the collapse does not come sooner."""
    with st.spinner("Sweeping in up to 4,096 dimensions"):
        rows = _story(scene.n, scene.k, scene.seed)
    figure = curves_drawn.dimension_figure(STORY, [(d, saturation, cap) for d, _, saturation, cap in rows], dark)
    canvas(
        figure,
        key="collapse_dimensions",
        alt="Saturation and cap over t / r in several dimensions.",
        height=460,
        toolbar=False,
    )
    certified = ", ".join(f"{offset_text(t)} (d = {d:,})" for d, t, _, _ in rows)
    st.html(
        f'<p class="tv-hint">A random router of {scene.n} experts, {scene.k} active, in every dimension; '
        f"{STORY_POINTS:,} points, uniform in a ball. The cap of directions falls below every float long before the "
        "data is in one set: <b>a vanishing cap is not a collapse</b>; the margin decides. "
        f"Certified t* / r: {certified}.</p>"
    )


# --- downloads ---


def records(view: Study) -> list[dict[str, float | None]]:
    """The curves as one record an offset."""
    t = collapse_view.offsets(view)
    out = []
    pair = list(zip(collapse_view.sweeps(view), ("", "_shared"), (0.0, float(view.scene.lam)), strict=True))
    for i in range(len(t)):
        row: dict[str, float | None] = {"offset": float(t[i])}
        for swept, suffix, strength in pair:
            low, high = swept.saturation_interval[i]
            row |= {
                f"saturation{suffix}": float(swept.saturation[i]),
                f"saturation_low{suffix}": float(low),
                f"saturation_high{suffix}": float(high),
                f"entropy_bits{suffix}": float(swept.entropy[i]),
                f"effective_sets{suffix}": float(swept.effective_sets[i]),
                f"sets_hit{suffix}": int(swept.sets_hit[i]),
                f"cap_fraction{suffix}": collapse_view.cap(view, float(t[i]), strength),
                f"load_variation{suffix}": float(swept.imbalance[i]),
                f"switch_loss{suffix}": float(swept.switch_loss[i]),
            }
        out.append(row)
    return out


def as_csv(view: Study) -> str:
    """The curves as a table with a header."""
    rows, out = records(view), io.StringIO()
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def as_json(view: Study) -> str:
    """Scene, router, certificate and curves."""
    certified = collapse_view.offset_count(view.certified, "r over the nearest wall's slope along u").to_json()
    content = {
        "scene": dict(view.scene.values),
        "W": np.asarray(view.router.W).tolist(),
        "b": np.asarray(view.router.b).tolist(),
        "k": view.router.k,
        "direction": view.u.tolist(),
        "radius": view.radius,
        "points": len(view.z),
        "certified_offset": certified,
        "rectifier": float(view.scene.lam),
        "curves": records(view),
    }
    return json.dumps(content, indent=1, allow_nan=False)


def as_animation(view: Study, dark: bool) -> str:
    """Picture and curves with Play and a slider, in one file."""
    stride, items = collapse_view.picture_frames(view, dark)
    picture = drawn.scene_figure(
        collapse_view.ground(view, view.half, dark), collapse_view.stand(view, 0.0, view.strength)
    )
    curves, curve_items = collapse_view.curve_figure(view, dark, stride)
    library = (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_text(encoding="utf-8")
    scene = view.scene
    title = f"Angular collapse: {scene.n} experts, {scene.k} active" + (", shared expert" if scene.shared else "")
    return curves_drawn.animation_html(picture, items, curves, curve_items, library, title=title, dark=dark)


def downloads(dark: bool) -> None:
    """Files to take away, each made when its button is pressed."""
    files = (
        ("Curves as CSV", as_csv, "collapse.csv", "text/csv"),
        ("Everything as JSON", as_json, "collapse.json", "application/json"),
        ("Animation as HTML", lambda view: as_animation(view, dark), "collapse.html", "text/html"),
    )
    with st.popover("Save curves and animation", type="tertiary"):
        for label, make, name, mime in files:
            st.download_button(
                label,
                data=in_session(lambda make=make: make(collapse_view.study(read_scene()))),
                file_name=f"tropviz_{name}",
                mime=mime,
                type="tertiary",
                on_click="ignore",
                key=f"save_{name}",
            )
