"""Training runs out: a checkpoint as a layer file that `io.read` takes, outcomes as JSON-ready rows."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from tropviz.core.training import Checkpoint, Outcome, Recipe, train
from tropviz.io.samples import digits

Floats = NDArray[np.float64]


def save_checkpoint(target: str | Path | BinaryIO, layer: Checkpoint, with_data: bool = True) -> None:
    """Write W, b, k, U, c, V, and if wanted the data X and its labels, as npz.

    Examples
    --------
    >>> import io as memory
    >>> from tropviz.core.training import Recipe, train
    >>> from tropviz.io import read_layer
    >>> *_, last = train(Recipe(data="moons", points=60, N=4, k=1, H=2, steps=5))
    >>> file = memory.BytesIO()
    >>> save_checkpoint(file, last)
    >>> sorted(np.load(memory.BytesIO(file.getvalue())))
    ['U', 'V', 'W', 'X', 'b', 'c', 'k', 'labels']
    """
    points: dict[str, NDArray[Any]] = {"X": layer.data.X, "labels": layer.data.y} if with_data else {}
    np.savez_compressed(
        target,
        W=layer.router.W,
        b=layer.router.b,
        k=np.int64(layer.k),
        U=layer.U,
        c=layer.c,
        V=np.asarray(layer.V),
        **points,  # type: ignore[arg-type]
    )


#: Bytes of the layers of a file of checkpoints; where all of them are more, some are left out, evenly.
MOST_BYTES = 48_000_000


def checkpoints_zip(recipe: Recipe) -> bytes:
    """The layers of a run, trained again, as a zip of npz files by their steps; the data stands in the last alone.

    Examples
    --------
    >>> made = checkpoints_zip(Recipe(data="moons", points=60, N=4, k=1, H=2, steps=5))
    >>> zipfile.ZipFile(io.BytesIO(made)).namelist()
    ['step_000000.npz', 'step_000001.npz', 'step_000002.npz', 'step_000003.npz', 'step_000004.npz', 'step_000005.npz']
    """
    found = digits() if recipe.data == "digits" else None
    run = train(recipe, own=None if found is None else (found.X, found.labels))
    out = io.BytesIO()
    last: Checkpoint | None = None
    with zipfile.ZipFile(out, "w") as folder:
        for number, layer in enumerate(run):
            each = 8 * (layer.U.size + layer.c.size + layer.router.W.size + np.asarray(layer.V).size)
            every = -(-each * recipe.checkpoints // MOST_BYTES)
            if layer.step < recipe.steps and number % every == 0:
                folder.writestr(f"step_{layer.step:06}.npz", _npz(layer, with_data=False))
            last = layer
        assert last is not None  # step 0 is always recorded
        if last.step == recipe.steps:
            folder.writestr(f"step_{last.step:06}.npz", _npz(last, with_data=True))
    return out.getvalue()


def _npz(layer: Checkpoint, with_data: bool) -> bytes:
    out = io.BytesIO()
    save_checkpoint(out, layer, with_data)
    return out.getvalue()


def trained_to(recipe: Recipe, step: int) -> tuple[Floats, ...]:
    """W, b, U, c, the data X and V of a recipe's layer at (or just before) a recorded step: trained again.

    Examples
    --------
    >>> W, b, U, c, X, V = trained_to(Recipe(data="moons", points=60, N=4, k=1, H=2, steps=5), 3)
    >>> W.shape, U.shape, X.shape, V.shape
    ((4, 2), (4, 2, 2), (60, 2), (4, 2, 2))
    """
    found = digits() if recipe.data == "digits" else None
    last = None
    for layer in train(recipe, own=None if found is None else (found.X, found.labels)):
        if layer.step > step:
            break
        last = layer
    assert last is not None  # step 0 is always recorded
    return last.router.W, last.router.b, last.U, last.c, last.data.X, np.asarray(last.V)


def outcome_row(found: Outcome) -> dict[str, Any]:
    """An outcome as JSON-ready values."""
    star = found.collapse_offset
    row: dict[str, Any] = {
        "step": found.step,
        "loss": found.loss,
        "accuracy": found.accuracy,
        "active_sets": found.sets.to_json(),
        "fullest_set": found.fullest.to_json(),
        "experts_alive": found.alive,
        "experts_dead": found.dead,
        "critical_offset": star if np.isfinite(star) else None,
    }
    if row["critical_offset"] is None:
        row["reason"] = "the data has no offset" if np.isnan(star) else "no offset brings this data into one set"
    return row
