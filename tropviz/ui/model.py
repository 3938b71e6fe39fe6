"""What the scene describes, computed once: every page takes router, fan, data and layer from here.

So the same scene gives the same number on every page. Caches are shared by all sessions and bounded; an uploaded
router lives in its own session only.
"""

from __future__ import annotations

import math

import numpy as np
import streamlit as st
from numpy.typing import NDArray

try:
    from tropviz import RoutingFan
except ImportError:  # until the fan lands
    from tropviz.ui._standin import RoutingFan
from tropviz.core import clouds, presets
from tropviz.core.router import Router
from tropviz.ui.scene import Scene

Array = NDArray[np.float64]
KEPT = 64


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _preset_router(kind: str, N: int, k: int, d: int, seed: int) -> Router:
    makers = {
        "affine": lambda: presets.random_affine(N, d, seed),
        "linear": lambda: presets.random_linear(N, d, seed),
        "polygon": lambda: presets.regular_polygon(N, d),
        "moment": lambda: presets.moment_curve(N, d),
    }
    W, b = makers[kind]()
    return Router(W, b, k)


def scene_dim(scene: Scene) -> int:
    """2 or 3: the space on screen."""
    return int(scene.dim)


def scene_router(scene: Scene) -> Router:
    """The scene's router in the space on screen, with `scene.k` active experts."""
    return _preset_router(scene.router, scene.n, scene.k, scene_dim(scene), scene.seed)


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _preset_fan(kind: str, N: int, k: int, d: int, seed: int) -> RoutingFan:
    return RoutingFan(_preset_router(kind, N, k, d, seed))


def scene_fan(scene: Scene) -> RoutingFan:
    """Every full-dimensional cell of the scene's router in the space on screen."""
    return _preset_fan(scene.router, scene.n, scene.k, scene_dim(scene), scene.seed)


def scene_direction(scene: Scene) -> Array:
    """Unit vector of the data's offset in the space on screen."""
    angle = math.radians(scene.direction)
    return np.array([math.cos(angle), math.sin(angle)] + [0.0] * (scene_dim(scene) - 2))


def scene_mean(scene: Scene) -> Array:
    """Mean of the data cloud: offset times direction."""
    return scene.offset * scene_direction(scene)


def scene_cloud(scene: Scene) -> Array:
    """The data points, (points, d): the same centred sample at every offset."""
    return clouds.cloud(
        scene.points,
        scene_dim(scene),
        offset=scene.offset,
        direction=scene_direction(scene),
        spread=scene.spread,
        seed=scene.seed,
        kind=scene.cloud,
    )


def scene_window(scene: Scene) -> float:
    """Half the side of the window; the window is [-a, a]^d."""
    return float(scene.window)


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _experts(N: int, H: int, d: int, seed: int) -> tuple[Array, Array]:
    return presets.random_experts(N, H, d, seed)


def scene_experts(scene: Scene) -> tuple[Array, Array]:
    """Hinges of the scene's experts: U (N, H, d) and c (N, H)."""
    return _experts(scene.n, scene.h, scene_dim(scene), scene.seed)
