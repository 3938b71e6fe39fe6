"""One step of a slider and of a drag on the Router fan page, event to last message, against two empty apps.

The smallest app there is has a slider and a line of text. The empty app of a page that draws has a slider and one
Plotly chart of 2,000 points; that one the goal is set against: both have to make and send a picture.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from tests.bench.harness import Row
from tests.bench.serve import Client, server

NS = range(7, 17)  # each is a step of the slider
#: The default scene's router and others: each steps through all N twice, the first time with fans never seen.
SEEDS = (286, 1, 2, 3)


def rows() -> Iterator[Row]:
    """Slider and drag in turn with the peer's slider, so that a busy machine slows both."""
    with (
        server("app.py") as ours,
        server("tests/bench/peer_app.py") as theirs,
        server("tests/bench/peer_chart_app.py") as drawing,
    ):
        time.sleep(4)  # the warm-ups import torch in the background
        peer, chart = Client(theirs), Client(drawing)
        (other, _), (another, _) = peer.sliders["Experts N"], chart.sliders["Experts N"]
        step: dict[str, list[float]] = {"first": [], "known": [], "drag": [], "peer": [], "chart": []}
        largest = 0
        for seed in (7, *SEEDS):  # the first one is not counted: a process that has just woken up is slow
            page = Client(ours, query=f"v=1&seed={seed}")
            slider, fragment = page.sliders["Experts N"]
            for what in ("first", "known"):
                for i, n in enumerate(NS):
                    base, _ = peer.run({other: float(n)})
                    empty, _ = chart.run({another: float(n)})
                    took, size = page.run({slider: float(n)}, fragment)
                    moved, _ = page.event("drag", x=0.05 * i, y=0.5, end=False)
                    largest = max(largest, size)
                    if seed in SEEDS:
                        step[what].append(took)
                        step["drag"].append(moved)
                        step["peer"].append(base)
                        step["chart"].append(empty)
    middle = {what: 1000 * statistics.median(times) for what, times in step.items()}

    def row(text: str, what: str, target: str, base: str = "chart") -> Row:
        note = f"{middle[what]:.1f} ms against {middle[base]:.1f} ms"
        return Row(text, middle[what] / middle[base], target, note)

    yield row("slider step N=8..17, each fan for the first time, against slider + one chart", "first", "<= 1.5")
    yield row("the same against slider + text", "first", "", "peer")
    yield row("slider step, fans known, against slider + one chart", "known", "<= 1.5")
    yield row("the same against slider + text", "known", "", "peer")
    yield row("one step of a drag on the server, against slider + one chart", "drag", "<= 1")
    yield row("the same against slider + text", "drag", "", "peer")
    yield Row("message of a slider step / 100 kB", largest / 100_000, "<= 1", f"{largest:,} bytes at most")
