"""Whose router it is: the shipped sample, an upload of this session, or a file on the server's shelf."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.capture import Capture, Layer
from tropviz.core.gates import Gate, Rule
from tropviz.core.gates.families import FAMILIES
from tropviz.io import checkpoints, lab, read_capture, read_checkpoint
from tropviz.io.checkpoints.shards import Checkpoint
from tropviz.io.read import LayerFile, RouterFile
from tropviz.io.samples import LAB
from tropviz.io.shelf import Shelf
from tropviz.io.traces import SUFFIXES as CAPTURES
from tropviz.language import phrase, say
from tropviz.ui.scene import Scene, derived
from tropviz.ui.scene.own import Own

Array = NDArray[np.float64]
SAMPLE = phrase("A small model trained on handwritten digits")


@dataclass(frozen=True, eq=False)
class Model(Own):
    """Routers of one model.

    Attributes
    ----------
    name : str
        Of its file.
    print : str
        Tells two files of one name apart.
    capture : Capture or None
    file : RouterFile, LayerFile or None
        A router that was given as W, b and k.
    shard : Checkpoint or None
        A shard of which what is a router may have to be asked.
    gates : tuple of Gate
        Of a checkpoint on the shelf.
    """

    name: str
    print: str = ""
    capture: Capture | None = None
    file: RouterFile | LayerFile | None = None
    shard: Checkpoint | None = None
    gates: tuple[Gate, ...] = ()

    @property
    def mark(self) -> str:
        """How a link names it."""
        return f"{self.name}~{self.print}" if self.print else self.name


@dataclass(frozen=True, eq=False)
class Tokens(Own):
    """Inputs of a router that a session brought: X (n, d), and the text of each where the file has it."""

    name: str
    X: Array
    texts: tuple[str, ...] | None = None


def fingerprint(content: bytes) -> str:
    """Eight characters that tell a file from another of its name.

    >>> fingerprint(b"")
    'e3b0c442'
    """
    return sha256(content).hexdigest()[:8]


@lru_cache(maxsize=1)
def sample() -> Model:
    """The shipped model with its capture."""
    return Model(SAMPLE, capture=lab())


def model_of(scene: Scene) -> Model:
    """Whose router is looked at: the shipped sample where the scene's file is not there."""
    if scene.own_model is not None:
        found: Model = scene.own_model
        return found
    try:
        return on_shelf(scene.lab_stored) if scene.lab_stored else sample()
    except ValueError:  # `trouble` says it
        return sample()


def trouble(scene: Scene) -> str:
    """Why the file on the shelf is not what is shown, in one sentence; empty where it is."""
    if scene.own_model is not None or not scene.lab_stored:
        return ""
    try:
        on_shelf(scene.lab_stored)
    except ValueError as problem:
        return say("{problem} The shipped sample is shown.", problem=problem)
    return ""


@lru_cache(maxsize=8)
def on_shelf(name: str) -> Model:
    """A file or folder of the server, read once."""
    path = Shelf.of().path(name)
    if path.is_file() and path.suffix.lower() in CAPTURES:
        return Model(name, capture=read_capture(path))
    return Model(name, gates=tuple(read_checkpoint(path)))


@derived
def gates(scene: Scene) -> list[Gate]:
    """Every router of the model, in its order; ValueError where it has to be asked which tensor, rule or k it is."""
    model = model_of(scene)
    if model.capture is not None:
        return [layer.gate for layer in model.capture.layers]
    if model.shard is not None:
        tensor, rule = scene.lab_tensor or None, scene.lab_rule or None
        if not model.shard.config and tensor is None and rule is None:
            remedy = say(
                "upload it together with the shard, or say here which tensor is a router, by which rule, and k"
            )
            what = say("{name}: no config.json came with it, so neither the rule nor k is known", name=model.name)
            raise ValueError(f"{what}: {remedy}.")
        if rule is None and tensor is not None and not model.shard.config:
            rule = checkpoints.PLAIN
        return checkpoints.read_uploaded(model.shard, tensor=tensor, rule=rule, k=scene.lab_k or None)
    if model.file is not None:
        return [_gate_of(model.file, scene.lab_k)]
    return list(model.gates)


def _gate_of(file: RouterFile | LayerFile, k: int) -> Gate:
    assert file.W is not None
    k = k or file.k or 0
    if not k:
        raise ValueError(
            say("{name}: k, the number of active experts, is not in the file: set it beside.", name=file.name)
        )
    if not 1 <= k < len(file.W):
        raise ValueError(
            say(
                "k is {k} and {name} has {w} experts: give k from 1 to {w_2}.",
                k=k,
                name=file.name,
                w=len(file.W),
                w_2=len(file.W) - 1,
            )
        )
    return Gate(0, file.name, file.W, k, Rule("identity"), b=file.b)


def question(scene: Scene) -> str:
    """Why the routers of the model are not known yet, in one sentence; empty where they are."""
    try:
        gates(scene)
    except ValueError as problem:
        return str(problem)
    return ""


def rules() -> list[str]:
    """Rules that a person may name: plain top-k, and the model types that are known."""
    return [checkpoints.PLAIN, *sorted({name for family in FAMILIES for name in family.types if not family.refused})]


def number(scene: Scene) -> int:
    """Which of the routers is looked at: the scene's, or the last there is."""
    return min(int(scene.lab_layer), len(gates(scene)) - 1)


def gate_name(gate: Gate) -> str:
    """A router for people.

    >>> gate_name(Gate(3, "gate", np.eye(4, 3), 2, side="encoder"))
    'Layer 3, encoder: 4 experts, 2 active'
    """
    side = f", {gate.side}" if gate.side else ""
    return say("Layer {layer}{side}: {n} experts, {k} active", layer=gate.layer, side=side, n=gate.N, k=gate.k)


def captured(scene: Scene) -> Layer | None:
    """What a capture holds of the router; None where there is no capture."""
    capture = model_of(scene).capture
    return None if capture is None else capture.layers[number(scene)]


@derived
def hinges(scene: Scene) -> tuple[Gate, Array, Array] | None:
    """The whole gate with U (N, H, d) and c (N, H) of its experts, where they are ReLU experts that came with it."""
    model, at = model_of(scene), number(scene)
    if isinstance(model.file, LayerFile):
        return gates(scene)[at], model.file.U, model.file.c
    if model is not sample():
        return None
    found = checkpoints.open_shard((LAB / "model.safetensors").read_bytes(), "model.safetensors").tensors
    gate = read_checkpoint(LAB, layer=gates(scene)[at].layer)[0]
    U, c = (found[f"layers.{gate.layer}.mlp.{name}"].read() for name in ("up", "bias"))
    return gate, U, c


def own_tokens(scene: Scene) -> Tokens | None:
    """The session's tokens, if they fit the router and no capture brings its own."""
    model = model_of(scene)
    if model.capture is not None:
        return None
    found: Any = scene.own_tokens
    if found is None and scene.own_points is not None:  # points that another page was given
        found = scene.own_points
    return found if found is not None and found.X.shape[1] == gates(scene)[number(scene)].d else None
