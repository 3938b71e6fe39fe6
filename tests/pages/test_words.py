"""No sentence of the Angular collapse page contradicts the numbers beside it, over the table of scenes."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tropviz.io import RouterFile
from tropviz.ui.collapse import undo, words
from tropviz.ui.collapse.study import seen_now, study
from tropviz.ui.scene import Scene
from tropviz.ui.scene.own import Upload
from tropviz.ui.scene.rows import CLOUDS, ROUTERS

#: Two rows and their bias decide alone along the first direction; along others all rows do.
TIED = Upload(RouterFile("tied.json", np.array([[1.0, -1], [1, -1], [0, 1], [-2, 0]]), np.array([0.0, 1, 0, 0]), 1))


def scenes(cloud: str, router: str) -> list[Scene]:
    made = []
    brought = {"own_router": TIED, "n": 4, "k": 1} if router == "file" else {}
    for dim, shared, lam, angle, n in itertools.product("23", (False, True), (0.0, 0.5, 1.0), (50.0, 0.0), (60, 61)):
        given = {"cloud": cloud, "router": router, "dim": dim, "shared": shared, "lam": lam, "direction": angle}
        made.append(Scene.default().replace(points=n, **brought, **given)[0])
    return made


@pytest.mark.parametrize("cloud", CLOUDS)
@pytest.mark.parametrize("router", ROUTERS)
def test_sentences_agree_with_the_numbers(cloud: str, router: str) -> None:
    for scene in scenes(cloud, router):
        star = study(scene).star
        for offset in {0.0, 0.9, *([star] if star is not None else [])}:
            view = study(scene.replace(offset=offset)[0])
            seen, said, how = seen_now(view), words.sentence(view), words.reading(view)
            beyond = view.now >= view.shown_certified
            if beyond and "certain to be in one" in said:
                assert float(seen.saturation) == 1, (said, scene.link("collapse"))
            if "two sets, one for each cloud" in said and beyond:
                assert len(seen.hits) == 2 and "earlier, never later" not in how
            if "earlier, never later" in how and beyond:
                assert float(seen.saturation) == 1
            if "shared expert undoes it:" in said:
                assert float(seen_now(study(view.scene.replace(shared=True)[0])).saturation) < float(seen.saturation)
            carried = undo.what_carries(view)
            assert ("have no mean" in carried) <= (float(view.side.sum()) == 0)
            assert ("the mean must reach" in carried) == bool((view.side == view.side[0]).all())
            if "nothing to carry" in said or "could carry" in said:
                assert view.two_sided
            assert ("never certain" in said) <= math.isinf(view.certified)
            assert ("never reached" in how) == math.isinf(view.certified)
