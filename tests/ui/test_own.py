"""What sessions bring is bounded for all of them together, and what is gone makes room."""

from __future__ import annotations

import numpy as np
import pytest

from tropviz.ui.scene import Points, admitted, own


def test_there_is_room_again_when_a_thing_has_gone(monkeypatch):
    before = sum(own._THERE.values())
    monkeypatch.setattr(own, "EVERYBODYS", before + 100)
    first = admitted(Points("first", np.zeros((2, 2))), 80)
    with pytest.raises(ValueError, match="as many files as it may"):
        admitted(Points("second", np.zeros((2, 2))), 21)
    assert admitted(Points("small", np.zeros((1, 2))), 20).name == "small"
    del first
    assert admitted(Points("second", np.zeros((2, 2))), 80).name == "second"
