"""Gate modules of a torch model, by its config's model type or as named by the caller; no library of models needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tropviz.core.gates import Family, Gate, Rule, family_of, settings
from tropviz.core.router import Array

_LAST = ("gate", "router", "router_gate")
_PLACE = re.compile(r"(?:^|\.)(?:layers|blocks|block)\.(\d+)\.")
_WEIGHT = ("weight", "layer.weight", "proj.weight", "classifier.weight", "wg.weight", "gate.weight")
_BIAS = ("bias", "classifier.bias")
_SELECTION = ("e_score_correction_bias", "expert_bias", "moe_statics.e_score_correction_bias", "bias")
_OF_PARENT = ("e_score_correction_bias", "expert_bias", "experts.e_score_correction_bias")


@dataclass(frozen=True, eq=False)
class Found:
    """A gate module.

    Attributes
    ----------
    path : str
        Its name in the model.
    module : torch.nn.Module
    gate : Gate
    experts : torch.nn.Module or None
        What is called with the choice, where the gate itself does not return it.
    """

    path: str
    module: Any
    gate: Gate
    experts: Any


def find_gates(model: Any, named: Mapping[str, Any] | None = None) -> list[Found]:
    """The gates of a model.

    Parameters
    ----------
    model : torch.nn.Module
        With a ``config`` that has ``model_type``, unless gates are named.
    named : mapping of str to Gate or int, optional
        Module names, with the gate each is, or with k for plain top-k of its ``weight``.

    Raises
    ------
    ValueError
        For a model type that is not known, a name that is not there, or weights that contradict the config.
    """
    modules = dict(model.named_modules())
    if named is not None:
        return [_named(modules, path, what) for path, what in named.items()]
    config = _config(model)
    row, kind, part = family_of(config)
    if row is None:
        likely = [p for p in modules if p.rpartition(".")[2] in _LAST][:4]
        what = f"the model type {kind!r} is not known" if kind else "the model has no config with a model_type"
        raise ValueError(f"{what}: name its gates, as gates={{'name': k}} (modules called so: {likely}).")
    out = [_known(modules, path, row, part) for path in modules if _is_gate(path)]
    found = [one for one in out if one is not None]
    if not found:
        raise ValueError(f"no gate was found in this {kind} model: name its gates, as gates={{'name': k}}.")
    return found


def _is_gate(path: str) -> bool:
    return path.rpartition(".")[2] in _LAST and _PLACE.search(path) is not None and not path.endswith("router.gate")


def _config(model: Any) -> Mapping[str, Any]:
    config: Any = getattr(model, "config", None)
    if isinstance(config, Mapping):
        return config
    return dict(config.to_dict()) if hasattr(config, "to_dict") else {}


def _known(modules: Mapping[str, Any], path: str, row: Family, config: Mapping[str, Any]) -> Found | None:
    module, layer = modules[path], int(_PLACE.findall(path)[-1])
    parent = modules.get(path.rpartition(".")[0])
    side = "attention" if "self_attention" in path else next((s for s in ("encoder", "decoder") if f"{s}." in path), "")
    said = settings(row, config, layer)
    experts = getattr(parent, "experts", None)
    if said.rule.refused:
        d = int(config.get("hidden_size", 1))
        gate = Gate(layer, path, np.zeros((said.N, d)), said.k, said.rule, side=side)
        return Found(path, module, gate, experts)
    weight = _first(module, _WEIGHT)
    if weight is None or weight.ndim != 2:
        return None
    if len(weight) != said.N + said.extra:
        if len(weight) == 1:  # the gate of a shared expert
            return None
        raise ValueError(f"{path} has {len(weight)} rows and the config says {said.N + said.extra} experts.")
    rule = said.rule
    if hasattr(module, "tid2eid"):
        rule = Rule(rule.score, refused="the token id decides (a table from tokens to experts), W only weighs")
    scale = _first(module, ("scale",)) if row.input_scale else None
    W = weight[: said.N] if scale is None else weight[: said.N] * scale
    b = _first(module, _SELECTION[:1] + _BIAS) if row.bias else None
    beta = None
    if row.selection:
        beta = _first(module, _SELECTION)
        beta = _first(parent, _OF_PARENT) if beta is None else beta
        if beta is None and not row.optional and not rule.refused:
            raise ValueError(f"{path} has no selection bias, which this model type has: name the gates yourself.")
        beta = None if beta is None else beta.reshape(-1)[: said.N]
    return Found(path, module, Gate(layer, path, W, said.k, rule, b=b, beta=beta, side=side, note=row.note), experts)


def _first(module: Any, names: tuple[str, ...]) -> Array | None:
    """The first parameter or buffer of one of these names, as float64."""
    for name in names:
        value = module
        for part in name.split("."):
            value = getattr(value, part, None)
        if hasattr(value, "detach"):
            return np.asarray(value.detach().cpu().double().numpy())
    return None


def _named(modules: Mapping[str, Any], path: str, what: Any) -> Found:
    if path not in modules:
        raise ValueError(f"the model has no module {path!r}: give a name of model.named_modules().")
    module = modules[path]
    if not isinstance(what, Gate):
        weight = _first(module, _WEIGHT)
        if weight is None or weight.ndim != 2:
            raise ValueError(f"{path} has no weight (N, d): give a Gate for it.")
        place = _PLACE.findall(path)
        digits = re.findall(r"\d+", path)
        layer = int(place[-1]) if place else int(digits[-1]) if digits else 0
        what = Gate(layer, path, weight, int(what), b=_first(module, _BIAS))
    return Found(path, module, what, getattr(modules.get(path.rpartition(".")[0]), "experts", None))
