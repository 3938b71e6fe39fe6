"""N, k and rule of one layer, as a model's config says them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tropviz.core.gates.families import Family
from tropviz.core.gates.rule import SCORES, Rule

#: More experts than any gate has: a config beyond it is damaged, and nothing is allocated for it.
MOST_EXPERTS = 65_536


class Unknown(ValueError):
    """What no file says and a person may: which tensor is a router, by which rule it chooses, how many are active."""


@dataclass(frozen=True)
class Settings:
    """What the config says about one layer's gate.

    Attributes
    ----------
    N, k : int
    extra : int
        Further rows of W that never compete.
    rule : Rule
    """

    N: int
    k: int
    extra: int
    rule: Rule


def settings(row: Family, config: Mapping[str, Any], layer: int, *, k: int | None = None) -> Settings:
    """Read a config for one layer.

    Parameters
    ----------
    row : Family
    config : mapping
        The part of the config that `family_of` returned.
    layer : int
    k : int, optional
        Instead of the config's.

    Raises
    ------
    ValueError
        One sentence naming the key that is missing or impossible.

    Examples
    --------
    >>> from tropviz.core.gates.families import family_of
    >>> config = {"model_type": "deepseek_v3", "n_routed_experts": 256, "num_experts_per_tok": 8}
    >>> config |= {"n_group": 8, "topk_group": 4}
    >>> found = settings(*family_of(config)[::2], 3, k=None)
    >>> found.N, found.k, found.rule.score, found.rule.groups
    (256, 8, 'sigmoid', 8)
    """
    experts = _number(config, row.experts, layer)
    if experts is None:
        raise ValueError(f"config.json has no {row.experts[0]}: add it, it is the number of experts.")
    if not 2 <= experts <= MOST_EXPERTS:
        raise ValueError(f"config.json: {row.experts[0]} is {experts}: give a number from 2 to {MOST_EXPERTS:,}.")
    active = k if k is not None else _number(config, row.active, layer)
    if active is None:
        raise Unknown(f"config.json has no {row.active[0]}: add it, or say how many experts are active (k).")
    if not 1 <= active <= experts:
        raise ValueError(f"config.json: {row.active[0]} is {active}: it must lie between 1 and {experts}.")
    extra = _number(config, row.extra, layer) if row.extra else 0
    return Settings(experts, active, extra or 0, _rule(row, config, experts, layer, active))


def _rule(row: Family, config: Mapping[str, Any], experts: int, layer: int, active: int) -> Rule:
    if row.refused:
        return Rule(refused=row.refused)
    rule = Rule(row.score, group_score=row.group_score, outside=row.outside)
    if row.score_key and config.get(row.score_key) is not None:
        name = str(config[row.score_key])
        if name not in SCORES:
            raise ValueError(f"config.json: {row.score_key} is {name[:40]!r}: known are {', '.join(SCORES)}.")
        rule = replace(rule, score=name)
    if row.scale_key and config.get(row.scale_key):
        rule = replace(rule, scale=_real(config[row.scale_key], row.scale_key))
    if row.softcap_key and config.get(row.softcap_key):
        rule = replace(rule, softcap=_real(config[row.softcap_key], row.softcap_key))
    if config.get("second_expert_policy") in ("sampling", "random"):
        rule = replace(rule, refused="second_expert_policy draws the second expert at random")
    key, value = row.grouped_if
    if row.groups and (not key or config.get(key) == value):
        if not any(name in config for name in row.groups):  # its default differs from type to type
            raise ValueError(f"config.json has no {row.groups[0]}: add it, 1 where experts have no groups.")
        groups = _number(config, row.groups, layer) or 1
        kept = _number(config, row.kept, layer) or groups
        rule = _grouped(rule, row, experts, groups, min(kept, groups), active)
    return rule


def _grouped(rule: Rule, row: Family, experts: int, groups: int, kept: int, active: int) -> Rule:
    if kept == groups:
        return rule
    if groups < 1 or experts % groups:
        raise ValueError(f"config.json: {experts} experts do not split into {row.groups[0]} = {groups} groups.")
    if kept < 1 or kept * (experts // groups) < active:
        what = f"{kept} groups of {experts // groups} experts hold fewer than the {active} active ones"
        raise ValueError(f"config.json: {what}: correct {row.kept[0]}.")
    return replace(rule, groups=groups, kept=kept)


def _number(config: Mapping[str, Any], keys: tuple[str, ...], layer: int) -> int | None:
    """The first of the keys that is there, as a whole number; a list has one number a layer."""
    for key in keys:
        if key.isdigit():
            return int(key)
        parts = [_look(config, part) for part in key.split("+")]
        if parts[0] is None:
            continue
        return sum(_whole(part, key, layer) for part in parts if part is not None)
    return None


def _look(config: Mapping[str, Any], key: str) -> Any:
    """A value by a key with dots."""
    value: Any = config
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _whole(value: Any, key: str, layer: int) -> int:
    if isinstance(value, list | tuple) and value:
        value = value[layer] if layer < len(value) else value[-1]
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"config.json: {key} is {str(value)[:40]!r}: give a whole number.")
    return value


def _real(value: Any, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"config.json: {key} is {str(value)[:40]!r}: give a number.")
    return float(value)
