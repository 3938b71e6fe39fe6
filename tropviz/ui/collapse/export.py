"""The Angular collapse page to take away: curves as CSV and JSON, the animation as one HTML file."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import plotly

from tropviz.figures.collapse_file import animation_html
from tropviz.language import say, speaking
from tropviz.ui.collapse.curves import curve_figure
from tropviz.ui.collapse.picture import first_figure, picture_frames
from tropviz.ui.collapse.study import Study, cap, offsets, study, sweeps
from tropviz.ui.collapse.words import offset_count
from tropviz.ui.later import save_menu
from tropviz.ui.scene import Scene


def records(view: Study) -> list[dict[str, float | None]]:
    """The curves as one record an offset."""
    t = offsets(view)
    out = []
    pair = list(zip(sweeps(view), ("", "_shared"), (0.0, float(view.scene.lam)), strict=True))
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
                f"cap_fraction{suffix}": cap(view, float(t[i]), strength),
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
    certified = offset_count(view.certified, "r over the nearest wall's slope along u").to_json()
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


def as_animation(view: Study) -> str:
    """Picture and curves with Play and a slider, in one file."""
    made, picture = picture_frames(view.scene, view.reach), first_figure(view).figure
    curves, curve_items = curve_figure(view, made.stride)
    library = (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_text(encoding="utf-8")
    scene = view.scene
    title = say("Angular collapse: {n} experts, {k} active", n=scene.n, k=scene.k) + (
        say(", shared expert") if scene.shared else ""
    )
    return animation_html(
        picture, made.items, curves, curve_items, library, sheets=made.sheets, title=title, dark=scene.dark
    )


def _curves(scene: Scene) -> str:
    return as_csv(study(scene))


def _everything(scene: Scene) -> str:
    return as_json(study(scene))


def _animation(scene: Scene) -> str:
    with speaking(scene.lang):
        return as_animation(study(scene))


def menu() -> None:
    """Files to take away."""
    save_menu(
        say("Save curves and animation"),
        (
            (say("Curves as CSV"), _curves, "collapse.csv", "text/csv"),
            (say("Everything as JSON"), _everything, "collapse.json", "application/json"),
            (say("Animation as HTML"), _animation, "collapse.html", "text/html"),
        ),
        pooled=True,
    )
