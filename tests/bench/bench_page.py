"""One step of a slider and of a drag on the Router fan page, event to last message, against the smallest app."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Iterator

from tests.bench.harness import Row
from tests.bench.serve import Client, server

STEPS = 30


def rows() -> Iterator[Row]:
    """Slider and drag in turn with the peer's slider, so that a busy machine slows both."""
    with server("app.py") as ours, server("tests/bench/peer_app.py") as theirs:
        page, peer = Client(ours), Client(theirs)
        time.sleep(4)  # both warm-ups import torch in the background
        slider, fragment = page.sliders["Experts N"]
        other, _ = peer.sliders["Experts N"]
        canvas, picture = page.canvas
        step, drag, base, sizes = [], [], [], []
        for i, n in zip(range(STEPS), itertools.cycle(range(8, 18)), strict=False):
            base.append(peer.run({other: float(n)})[0])
            took, size = page.run({slider: float(n)}, fragment)
            event = {"event": "drag", "value": {"x": 0.05 * i, "y": 0.5, "end": False, "id": i}}
            moved, _ = page.run({f"{canvas}__events": event}, picture)
            step.append(took)
            drag.append(moved)
            sizes.append(size)
        skip = 10  # every N once: its fan is computed on the first visit only
        note = f"{1000 * statistics.median(step[skip:]):.0f} ms against {1000 * statistics.median(base[skip:]):.0f} ms"
        ratio = statistics.median(a / b for a, b in zip(step[skip:], base[skip:], strict=True))
        yield Row("slider step N=8..17, fans known, against slider + text", ratio, "<= 3", note)
        first = statistics.median(a / b for a, b in zip(step[:skip], base[:skip], strict=True))
        yield Row("the same, each fan for the first time", first, "", "")
        follow = statistics.median(a / b for a, b in zip(drag[skip:], base[skip:], strict=True))
        yield Row("one step of a drag on the server", follow, "", f"{1000 * statistics.median(drag[skip:]):.0f} ms")
        yield Row("message of a slider step / 100 kB", max(sizes) / 100_000, "<= 1", f"{max(sizes):,} bytes at most")
