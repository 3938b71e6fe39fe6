"""The Hypersimplex page in a browser: touch one view and the others light up, by mouse and by key; x turns."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PATIENCE, Watch, drawings, wait_drawn, wait_followed, wait_link, wait_rest

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]
LIT = "[...document.querySelectorAll('.tv-title[data-lit]')].map((e) => e.dataset.lit)"
POLYTOPE, FAN, GRAPH = 0, 1, 2


def open_page(page: Page, server: str, query: str) -> None:
    page.goto(f"{server}/hypersimplex?v=1&{query}")
    for canvas in (POLYTOPE, FAN, GRAPH):
        wait_drawn(page, canvas=canvas)
    wait_link(page, "hv=")


def wait_lit(page: Page, name: str) -> None:
    """Wait until all three views show this set, in their titles and in their drawings."""
    page.wait_for_function(
        f"(name) => {{ const l = {LIT}; return l.length === 3 && l.every((n) => n === name) }}", arg=name
    )


def at_data(page: Page, canvas: int, x: float, y: float) -> tuple[float, float]:
    """A point of a flat canvas on the screen."""
    spot = page.evaluate(
        """([i, x, y]) => { const gd = document.querySelectorAll('.tv-gd')[i], f = gd._fullLayout;
        const r = gd.getBoundingClientRect();
        return [r.left + f.xaxis._offset + f.xaxis.d2p(x), r.top + f.yaxis._offset + f.yaxis.d2p(y)]; }""",
        [canvas, x, y],
    )
    return float(spot[0]), float(spot[1])


def touch(page: Page, canvas: int, x: float, y: float) -> None:
    """Click a picture that is drawn, where WebGL has said what lies under the mouse: one being replaced drops it."""
    wait_followed(page)
    page.wait_for_function("[...document.querySelectorAll('.tv-gd')].every((g) => g.__tv?.of === g.__tv?.meta?.of)")
    page.evaluate(
        """(i) => { const gd = document.querySelectorAll('.tv-gd')[i];
        window.__told = !gd.querySelector('.gl-container canvas');
        gd.on('plotly_hover', () => { window.__told = true; }); }""",
        canvas,
    )
    page.mouse.move(x - 3, y - 3)
    page.mouse.move(x, y)
    page.wait_for_function("window.__told")
    page.mouse.click(x, y)


def test_touching_a_vertex_lights_cell_and_facet(server: str, page: Page, watch: Watch) -> None:
    open_page(page, server, "n=8&k=2&r=linear&cell=0-1")
    vertices = page.evaluate(
        "(() => { const t = document.querySelector('.tv-gd').data[7]; return [...t.x].map((x, i) => [x, t.y[i]]) })()"
    )
    names = page.evaluate("document.querySelectorAll('.tv-gd')[0].data.slice(11).flatMap((t) => t.text)")
    assert len(vertices) >= 4 and any("<b>" in n for n in names)
    before = drawings(page, GRAPH)
    top = max(vertices, key=lambda v: v[1])
    touch(page, POLYTOPE, *at_data(page, POLYTOPE, *top))
    page.wait_for_function(f"({LIT}[0] ?? '{{0, 1}}') !== '{{0, 1}}'")
    chosen = page.evaluate(f"{LIT}[0]")
    wait_lit(page, chosen)
    wait_drawn(page, before, GRAPH)
    wait_link(page, "cell=" + chosen.strip("{}").replace(", ", "-"))
    outline = page.evaluate("document.querySelectorAll('.tv-gd')[2].data[6].x.length")
    assert outline > 3  # the facet's outline is drawn
    assert watch.problems == []


def test_touching_a_cell_or_a_facet_lights_the_vertex(server: str, page: Page, watch: Watch) -> None:
    open_page(page, server, "n=3&k=1&cell=0")
    touch(page, FAN, *at_data(page, FAN, -2.0, -1.5))  # the cone of expert 1 of the triangle
    wait_lit(page, "{1}")
    box = page.locator(".tv-gd").nth(GRAPH).bounding_box()
    touch(page, GRAPH, box["x"] + 0.82 * box["width"], box["y"] + 0.45 * box["height"])
    page.wait_for_function(f"({LIT}[0] ?? '{{1}}') !== '{{1}}'")
    wait_lit(page, page.evaluate(f"{LIT}[0]"))
    assert watch.problems == []


def test_the_octahedron_beside_its_sphere_of_cones(server: str, page: Page, watch: Watch) -> None:
    open_page(page, server, "n=4&k=2&cell=2-3")
    label = page.locator(".tv-gd").nth(POLYTOPE).locator(".annotation-text", has_text="{0, 3}")
    spot = label.bounding_box()
    touch(page, POLYTOPE, spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2 + 14)
    wait_lit(page, "{0, 3}")
    # two canvases in space, the graph as a drawing
    in_space = "[...document.querySelectorAll('.tv-gd')].map((g) => Boolean(g.querySelector('.gl-container canvas')))"
    assert page.evaluate(in_space) == [True, True, False]
    camera = "Object.values(document.querySelector('.tv-gd')._fullLayout.scene._scene.getCamera().eye)"
    first = page.evaluate(camera)
    box = page.locator(".tv-gd").nth(POLYTOPE).bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 60, middle[1], steps=3)
    page.mouse.up()
    page.wait_for_function(f"(first) => Math.abs({camera}[0] - first[0]) > 0.2", arg=first)
    wait_rest(page, POLYTOPE)
    turned = page.evaluate(camera)
    page.locator(".tv-gd").nth(POLYTOPE).focus()
    page.keyboard.press("Enter")
    wait_lit(page, "{1, 2}")
    assert page.evaluate(camera) == pytest.approx(turned, abs=1e-6)
    assert watch.problems == []


def test_x_turns_in_the_browser_and_where_it_stops_is_chosen(server: str, page: Page, watch: Watch) -> None:
    open_page(page, server, "n=8&k=2&r=linear&cell=0-1")
    drawn = [drawings(page, canvas) for canvas in (POLYTOPE, FAN, GRAPH)]
    frame = "[...document.querySelectorAll('.tv-gd')].map((g) => +g.dataset.frame)"
    start = page.evaluate(frame)[0]
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"Math.min(...{frame}) >= {start} + 3")
    assert [drawings(page, canvas) for canvas in (POLYTOPE, FAN, GRAPH)] == drawn  # no round trip
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function(f"new Set({frame}).size === 1")
    said = page.locator(".tv-play output").first.text_content() or ""
    wait_lit(page, said.split(" · ")[1])
    assert watch.problems == []


def test_arrow_keys_walk_and_the_selector_is_a_twin(server: str, page: Page, watch: Watch) -> None:
    open_page(page, server, "n=3&k=1&cell=2")
    page.locator(".tv-gd").nth(FAN).focus()
    page.keyboard.press("ArrowLeft")
    wait_lit(page, "{1}")
    page.keyboard.press("ArrowUp")
    wait_lit(page, "{0}")
    page.get_by_role("combobox", name="Active set").click()
    page.get_by_role("option", name="{2}").click()
    wait_lit(page, "{2}")
    assert watch.problems == []


def test_it_fits_a_phone(server: str, browser, watch: Watch) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    watch.on(page)
    page.set_default_timeout(PATIENCE)
    open_page(page, server, "n=8&k=2")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
    assert watch.problems == []


def test_the_camera_outlives_a_change_of_k_and_the_shadow_is_framed_anew(server: str, page: Page, watch: Watch) -> None:
    open_page(page, server, "n=8&k=2&r=linear")
    camera = "Object.values(document.querySelectorAll('.tv-gd')[2]._fullLayout.scene._scene.getCamera().eye)"
    page.evaluate(
        "window.Plotly.relayout(document.querySelectorAll('.tv-gd')[2], {'scene.camera.eye': {x: 1.5, y: 0.3, z: 1}})"
    )
    page.wait_for_function(f"Math.abs({camera}[0] - 1.5) < 1e-3")
    before, drawn = page.evaluate("document.querySelector('.tv-gd')._fullLayout.xaxis.range"), drawings(page, GRAPH)
    page.get_by_role("slider", name="Active experts k").focus()
    page.keyboard.press("ArrowRight")
    wait_link(page, "k=3")
    wait_drawn(page, drawn, GRAPH)
    assert page.evaluate(camera) == pytest.approx([1.5, 0.3, 1], abs=1e-3)
    page.wait_for_function("(r) => document.querySelector('.tv-gd')._fullLayout.xaxis.range[1] !== r[1]", arg=before)
    assert watch.problems == []
