"""Own points are used as they are on every page, or the page says that they are not; a link names what it needs."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

from tests.io.files import npy
from tests.pages.reading import ROOT, counts, markup, open_page, rest, scene_of, words
from tests.pages.test_collapse_upload import as_csv, as_json, as_npz, give
from tropviz import Router
from tropviz.core import presets
from tropviz.ui.collapse.study import offsets, study, sweeps
from tropviz.ui.limits import OWN_POINTS
from tropviz.ui.scene import model

DATA = Path(__file__).parents[1] / "data" / "reports"
ROUTER, POINTS = "A_latlong_router.json", "A_latlong_points.csv"


def test_sites_close_together_and_far_out_stay_where_they_are() -> None:
    at = give(open_page("collapse", v="1"), "upload_router", ROUTER, (DATA / ROUTER).read_bytes())
    give(at, "upload_points", POINTS, (DATA / POINTS).read_bytes())
    seen, view = counts(at), study(scene_of(at))
    assert seen["Active sets hit"][0] == "5" and seen["Saturation"][0].startswith("20.0 %")
    swept = sweeps(view)[0]  # the curves and the frames pass through it
    assert swept.sets_hit[np.flatnonzero(offsets(view) == view.now)].tolist() == [5]
    X = np.loadtxt(DATA / POINTS, delimiter=",", skiprows=1)
    at.switch_page("pages/fan.py").run()
    assert np.array_equal(model.scene_cloud(scene_of(at)), X)
    assert counts(at)["Cells reached by the data"][0] == "5"
    for page in ("hypersimplex", "capacity", "resilience", "training"):
        at.switch_page(f"pages/{page}.py").run()
        assert f"Your points, {POINTS}, are not used on this page" in words(at)


@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e10])
def test_own_points_are_used_to_the_last_bit(d: int, scale: float) -> None:
    rng = np.random.default_rng(d)
    X = scale * (0.7 + 0.01 * rng.standard_normal((60, d)))
    W = rng.standard_normal((6, d))
    b = -W @ X.mean(axis=0)  # the walls run through the cloud
    at = give(open_page("collapse", v="1", d="3" if d == 3 else "2"), "upload_router", "own.json", as_json(W, b))
    give(at, "upload_points", "own.npz", as_npz(X=X))
    view, hit = study(scene_of(at)), len({tuple(row) for row in Router(W, b, 2).active_sets(X).tolist()})
    assert np.array_equal(view.seen_at(view.now, 0.0), X) and view.now in offsets(view)
    assert counts(at)["Active sets hit"][0] == str(hit) and hit > 1
    assert (np.linalg.norm(X - view.now * view.u, axis=1) <= view.radius).all()
    at.switch_page("pages/fan.py").run()
    shown = model.scene_cloud(scene_of(at))
    assert not at.exception and (d not in (2, 3) or np.array_equal(shown, X))


def test_a_link_names_the_files_it_needs_and_takes_them() -> None:
    W, b = presets.random_affine(6, 2, 11)
    X = 2 + 0.3 * np.random.default_rng(0).standard_normal((80, 2))
    at = give(open_page("collapse", v="1"), "upload_router", "own.json", as_json(W, b))
    give(at, "upload_points", "cloud.csv", as_csv(X))
    rest(at.slider(key="w_k").set_value(3).run())
    rest(at.slider(key="w_offset").set_value(1.25).run())
    before, link = counts(at), dict(parse_qsl(scene_of(at).link("collapse"), keep_blank_values=True))
    assert link["rf"] == "own.json" and link["pf"] == "cloud.csv" and link["r"] == "file"
    at = open_page("collapse", **link)
    assert "This link needs own.json" in words(at) and "This link needs the points in cloud.csv" in words(at)
    waiting = dict(parse_qsl(scene_of(at).link("collapse"), keep_blank_values=True))
    assert waiting == link  # a page that was loaded again still says what it needs
    give(at, "upload_points", "cloud.csv", as_csv(X))
    give(at, "upload_router", "own.json", as_json(W, b))
    assert counts(at) == before and dict(parse_qsl(scene_of(at).link("collapse"), keep_blank_values=True)) == link
    at.file_uploader(key="upload_router").set_value([]).run()
    assert "off the list. Still showing own.json" in words(at) and counts(at) == before
    rest(at).button(key="points_drop").click().run()
    assert "pf=" not in scene_of(at).link("collapse")


def test_only_points_that_are_used_are_kept_and_large_files_are_read_elsewhere() -> None:
    X = np.random.default_rng(0).standard_normal((OWN_POINTS + 7, 2))
    at = give(open_page("collapse", v="1"), "upload_points", "many.csv", as_csv(X))
    kept = scene_of(at).own_points.X
    assert kept.base is None and np.array_equal(kept, X[:OWN_POINTS])
    assert re.search(rf"{len(X):,} points of 2 numbers, the first {OWN_POINTS:,} of them used", words(at))
    bad = as_csv(X).replace(b"\n", b"\n1,nan\n", 1)
    give(at, "upload_points", "bad.csv", bad)
    assert "nan" in words(at) and "Still showing many.csv." in words(at)


def test_training_says_that_it_does_not_use_the_weights_of_a_router() -> None:
    at = open_page("fan", v="1")
    assert "are not used on this page" not in markup(at)
    at.file_uploader(key="upload_router").set_value(("mine.npy", npy(np.eye(5, 3)), "application/octet-stream")).run()
    assert "are not used on this page" not in markup(at)
    at.switch_page(str(ROOT / "pages" / "training.py")).run()
    assert "The weights of mine.npy are not used on this page" in markup(at) and scene_of(at).n == 5
