"""Presets: every one opens as it is written, and its picture is the fan it opens."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from xml.etree import ElementTree

import pytest

from tests.pages.reading import markup, open_page, scene_of
from tropviz.ui import drawn
from tropviz.ui.gallery import picture
from tropviz.ui.presets import presets
from tropviz.ui.scene import model
from tropviz.ui.scene.board import FAILED
from tropviz.ui.scene.link import opened
from tropviz.ui.server import SORRY

BY_PAGE = {page: list(of) for page, of in groupby(sorted(presets(), key=lambda p: p.page), lambda p: p.page)}


@pytest.mark.parametrize("page", BY_PAGE)
def test_every_preset_opens(page: str) -> None:
    at = open_page(page, v="1")
    for preset in BY_PAGE[page]:
        at.session_state["board"].wishes.append(lambda scene, link=preset.link: opened(scene, page, link))
        at.run()
        assert not at.exception and not {FAILED, SORRY} & set(markup(at).split("<")), preset.name
        assert scene_of(at).link(page, short=True) == preset.link, "written as short as it can be, and all of it taken"


@pytest.mark.parametrize("name", [preset.name for preset in presets()])
def test_a_picture_has_the_cells_of_its_scene(name: str) -> None:
    scene = next(preset.scene for preset in presets() if preset.name == name)
    tree = ElementTree.fromstring(picture(name))
    cells = [node for node in tree.iter() if node.tag.endswith("path") and node.get("fill", "").startswith("#")]
    assert len(cells) == len(model.scene_cells(scene).ids)
    assert len(picture(name)) < 40_000


def test_collapsed_data_lies_in_one_cell_and_rectified_in_many() -> None:
    reached = {}
    for name in ("collapsed", "rectified"):
        scene = next(preset.scene for preset in presets() if preset.name == name)
        points = model.scene_cloud(scene) - scene.shared * scene.lam * model.scene_mean(scene)
        reached[name] = len({tuple(row) for row in model.scene_router(scene).active_sets(points)})
    assert reached["collapsed"] == 1 and reached["rectified"] > 5


def ask(path: str, query: bytes = b"") -> tuple[int, str]:
    """What the server answers to a request, or says of one that is not for it."""
    sent: list[dict] = []

    async def send(message: dict) -> None:
        sent.append(message)

    async def other(scope: dict, receive: object, send: object) -> None:
        sent.append({"status": 0})

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query}
    with ThreadPoolExecutor(1) as alone:  # a browser's loop may run in this thread
        alone.submit(lambda: asyncio.run(drawn.Drawn(other)(scope, None, send))).result()
    return sent[0]["status"], sent[-1].get("body", b"").decode()


def test_the_server_draws_presets_and_codes_and_nothing_else() -> None:
    assert ask("/base/presets/three_cones.svg") == (200, picture("three_cones"))
    assert ask("/presets/none.svg")[0] == 404
    assert ask("/_stcore/health") == ask("/presets/../x.svg") == (0, "")
    status, code = ask("/qr.svg", b"text=http%3A%2F%2Flocalhost%2F%3Fv%3D1%26n%3D4")
    assert status == 200 and code == drawn.code("http://localhost/?v=1&n=4")
    assert ask("/qr.svg")[0] == ask("/qr.svg", b"text=" + b"x" * 2001)[0] == 404
