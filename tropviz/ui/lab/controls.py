"""What of the model is looked at: the layer, the plane, and what the plane goes through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from tropviz.core.presets import MAX_DIMENSION
from tropviz.io import checkpoints
from tropviz.io.read import RouterFile
from tropviz.language import say
from tropviz.ui import controls
from tropviz.ui.controls import shown_router
from tropviz.ui.lab import model
from tropviz.ui.limits import EXPERTS
from tropviz.ui.scene import Scene
from tropviz.ui.scene.board import Changes
from tropviz.ui.scene.part import change, control


def slice_controls(scene: Scene) -> None:
    """The controls of the picture."""
    if model.question(scene):  # which is asked in the middle of the page
        return
    names = [model.gate_name(gate) for gate in model.gates(scene)]
    names += [say("A layer of the file that the link needs")] * (int(scene.lab_layer) + 1 - len(names))
    choose(scene, "lab_layer", say("Router"), range(len(names)), names.__getitem__)
    controls.widget("lab_slice", scene)
    if scene.lab_slice == "experts":
        controls.widget("lab_experts", scene)
    if scene.lab_slice == "tokens":
        controls.widget("lab_tokens", scene)
    gate = model.gates(scene)[model.number(scene)]
    if gate.exact and 2 <= gate.N <= EXPERTS[1] and gate.d <= MAX_DIMENSION and gate.k < gate.N:
        st.button(say("Use this router on every page"), on_click=change(everywhere))
    found = model.model_of(scene)
    if found.shard is not None or found.file is not None:
        with st.expander(say("How it chooses")):
            ask(scene)


def choose(scene: Scene, name: str, label: str, options: Sequence[Any], text: Callable[[Any], str]) -> None:
    """A select box whose options are the model's own: another model gets another box."""

    def chosen(_: Scene, hand: Any) -> Changes:
        return {name: hand, "lab_token": -1}

    key = f"{name}_{model.model_of(scene).token}"
    controls.chooser(label, options, getattr(scene, name), key, chosen, format_func=text)


def ask(scene: Scene) -> None:
    """How a model chooses, where its file does not say: which tensor, by which rule, and k."""
    found = model.model_of(scene)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if found.shard is not None:
            tensors, usual = (
                checkpoints.candidates(found.shard),
                say("As config.json says") if found.shard.config else "–",
            )
            shapes = {name: " ".join(map(str, found.shard.tensors[name].shape)) for name in tensors}
            names = list(dict.fromkeys(["", scene.lab_tensor, *tensors]))
            choose(
                scene,
                "lab_tensor",
                say("Which tensor?"),
                names,
                lambda n: f"{n} ({shapes.get(n, '?')})" if n else usual,
            )
            rules = list(dict.fromkeys(["", scene.lab_rule, *model.rules()]))
            told = {"": usual, checkpoints.PLAIN: say("Plain top-k of W x")}
            choose(scene, "lab_rule", say("By which rule?"), rules, lambda n: told.get(n, n))
        control("lab_k", st.number_input, say("Active experts k (0: as the file says)"), value=0, live=False)


def everywhere(scene: Scene) -> Changes:
    """The router in view becomes the router of every page."""
    gate = model.gates(scene)[model.number(scene)]
    name = say("{name}, layer {layer}", name=say(model.model_of(scene).name), layer=gate.layer)
    return shown_router(scene, RouterFile(name, gate.W, gate.b, gate.k))
