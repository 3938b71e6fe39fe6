"""The live numbers that a lesson can show and ask for, by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tropviz import Count, capacity, slice_law
from tropviz.core import planar
from tropviz.core.hypersimplex.softening import most_added
from tropviz.language import english
from tropviz.ui import marks
from tropviz.ui.capacity.view import star
from tropviz.ui.collapse import study
from tropviz.ui.counts import CountRow
from tropviz.ui.fan import regions
from tropviz.ui.fan.counts import own_cells
from tropviz.ui.fan.view import routed_points
from tropviz.ui.scene import BY_NAME, Scene, derived, model


@dataclass(frozen=True)
class Number:
    """A live number of a scene.

    Attributes
    ----------
    label, meaning : str
        As in a row of counts.
    of : callable
        The Count, of a scene and the page whose picture is shown.
    form : str
        "", "share" or "offset".
    """

    label: str
    meaning: str
    of: Callable[[Scene, str], Count]
    form: str = ""


def _promised(scene: Scene, _: str) -> Count:
    return Count(math.comb(scene.n, scene.k), "exact", f"C({scene.n},{scene.k})")


def _kept(scene: Scene, page: str) -> Count:
    cells, all_sets = model.scene_fan(scene).count, _promised(scene, page)
    return Count(float(cells.value) / float(all_sets.value), cells.kind, f"{cells} / {all_sets}")


def _inner(scene: Scene, _: str) -> Count:
    fan = model.scene_fan(scene)
    kind = "exact" if fan.count.kind == "exact" else "upper"
    return Count(math.comb(scene.n, scene.k) - int(fan.count.value), kind, f"C({scene.n},{scene.k}) - {fan.count}")


def _law(scene: Scene, _: str) -> Count:
    router = model.scene_router(scene)
    return slice_law.expected_cells(router.N, router.k, router.d, not router.central)


def _star(scene: Scene, _: str) -> Count:
    return star(scene.n, scene.k, model.scene_affine(scene))


def _routed(scene: Scene, page: str) -> study.collapse.Routed:
    if page == "collapse":
        return study.routed_now(scene)[0]
    return routed_points(scene)[1]


def _reached(scene: Scene, page: str) -> Count:
    return _routed(scene, page).sets_hit


def _saturation(scene: Scene, page: str) -> Count:
    return _routed(scene, page).saturation


def _regions(scene: Scene, _: str) -> Count:
    return _row(scene, "This router, whole")


def _row(scene: Scene, label: str) -> Count:
    return next(count for name, count, _ in regions.counts(scene) if english(name).startswith(label))


def _dense(scene: Scene, _: str) -> Count:
    return regions.dense_rows(scene)[0][1]


def _table(name: str) -> Callable[[Scene, str], Count]:
    def of(scene: Scene, _: str) -> Count:
        router, H = model.scene_router(scene), model.scene_experts(scene)[0].shape[1]
        return capacity.table(router.N, router.k, H, router.d)[name]

    return of


@derived
def _domain(scene: Scene) -> planar.Domain | None:
    if scene.expert < 0 or scene.dim != "2":
        return None
    cells = model.scene_cells(scene)
    return planar.expert_domain(model.scene_fan(scene), cells.ids, cells.shapes, scene.expert)


def _pieces(scene: Scene, _: str) -> Count:
    domain = _domain(scene)
    return Count(domain.pieces if domain else 0, "exact", "connected pieces of the union of its cells in the window")


def _dent(scene: Scene, _: str) -> Count:
    domain = _domain(scene)
    return Count(domain.non_convexity if domain else 0.0, "exact", "1 - area / area of the convex hull, in the window")


def _own(scene: Scene, _: str) -> Count:
    """Cells in the router's own dimensions: those on screen if it has no more."""
    own = own_cells(scene)
    return own[0][1] if own else model.scene_fan(scene).count


def _soft_most(scene: Scene, _: str) -> Count:
    return Count(most_added(scene.n, scene.k, scene.tau), "upper", "tau ln C(N,k), attained where all scores are equal")


def _certified(scene: Scene, _: str) -> Count:
    return Count(study.study(scene).shown_certified, "exact", "r over the nearest wall's slope along u")


_AT = "Cells this router really has in the space on screen."
#: By name. The labels are those of the pages, so that the browser changes these rows too while a hand moves.
NUMBERS: Mapping[str, Number] = {
    "promised": Number("Choices promised, C(N,k)", "Every choice of k experts out of N.", _promised),
    "cells": Number("Cells in the space on screen", _AT, lambda scene, _: model.scene_fan(scene).count),
    "kept": Number("Share of the choices kept", "Cells over choices.", _kept, "share"),
    "inner": Number("Sums that fell inside", "Choices that never win here.", _inner),
    "own": Number("Cells in its own dimensions", "Cells of the router before it is cut by this picture.", _own),
    "soft_most": Number("Softening adds at most", "In units of the score.", _soft_most),
    "law": Number("A random router, on average", "The slice law, in the space on screen.", _law),
    "dstar": Number("Resilience dimension d*", "Around here half of the choices exist, on average.", _star),
    "reached": Number("Cells reached by the data", "Different active sets of the data points.", _reached),
    "saturation": Number("Saturation", "Share of the data in its fullest cell.", _saturation, "share"),
    "tstar": Number("Certified offset t*", "From here on the whole ball is in one active set.", _certified, "offset"),
    "regions": Number("Linear regions, this router", "Cells, each cut by the hinges of its active experts.", _regions),
    "dense": Number("Dense network, width kH", "The experts 0 to k - 1 as one layer, always active.", _dense),
    "regions_promised": Number("Regions promised", "A maximum over weights, and a bound.", _table("moe_bound")),
    "designed": Number("Designed weights reach", "Exact for chosen weights.", _table("designed")),
    "regions_law": Number(
        "Random weights, on average", "The region law.", lambda s, _: _row(s, english(marks.RANDOM.label))
    ),
    "pieces": Number("Pieces of the lit domain", "In the window.", _pieces),
    "dent": Number("Not convex, by", "Share of its convex hull that is missing.", _dent, "share"),
}


def known(name: str) -> bool:
    """Whether a lesson can ask for this: a live number, or a property of the scene."""
    return name in NUMBERS or name in BY_NAME


def value(name: str, scene: Scene, page: str) -> float | str:
    """A live number, or the value of a property."""
    if name in NUMBERS:
        found = NUMBERS[name].of(scene, page).value
        return int(found) if isinstance(found, int) else float(found)
    here = getattr(scene, name)
    return str(here) if isinstance(here, str) else here if isinstance(here, int) else float(here)


def rows(names: tuple[str, ...], scene: Scene, page: str) -> list[CountRow | tuple[str, Count, str, str]]:
    """Rows of counts."""
    found = [(NUMBERS[name], NUMBERS[name].of(scene, page)) for name in names]
    return [(one.label, count, one.meaning, one.form) for one, count in found]
