# %% [markdown]
# # tropviz in a notebook
# Open this file in an editor that knows `# %%` cells, or run it: `python assets/examples/tour.py FOLDER` writes every
# picture as a page of its own.

# %% A random router: eight experts, two active, inputs in the plane.
import sys
from pathlib import Path

import numpy as np

import tropviz
from tropviz import Hypersimplex, MoELayer, Router, RoutingFan, capacity, collapse, slice_law

rng = np.random.default_rng(0)
router = Router(rng.normal(size=(8, 2)), rng.normal(size=8), k=2)
fan = RoutingFan(router)
fan  # a notebook draws it, with its counts

# %% The same as a Plotly figure, with a cloud of data over it.
X = rng.normal(size=(300, 2))
pictures = {"fan": tropviz.plot(fan, window=3, data=X)}

# %% Experts cut the cells again: linear regions.
layer = MoELayer(router, rng.normal(size=(8, 4, 2)), rng.normal(size=(8, 4)), fan=fan)
pictures["layer"] = tropviz.plot(layer, window=3)
layer.regions(), layer.regions(3)

# %% Promise beside fact.
promise = capacity.table(N=8, k=2, H=4, d=2)
{name: str(count) for name, count in promise.items()}

# %% The polytope behind it, and the law of random routers.
pictures["hypersimplex"] = tropviz.plot(Hypersimplex(4, 2))
pictures["law"] = tropviz.plot(slice_law.Law(16, 4))

# %% Angular collapse: move the data away from the origin.
offsets = np.linspace(0, 10, 81)
sweep = collapse.sweep(router, X - X.mean(axis=0), [0.6, 0.8], offsets)
pictures["collapse"] = tropviz.plot(sweep)
collapse.critical_offset(router, [0.6, 0.8], 1.0)

# %% Every picture as a page of its own.
if len(sys.argv) > 1:
    for name, figure in pictures.items():
        figure.write_html(Path(sys.argv[1]) / f"{name}.html")
