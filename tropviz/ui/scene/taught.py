"""A trained router in a link: its recipe, the step it was taken at, and the layer, trained again where it is opened."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tropviz.core.training import Recipe
from tropviz.io.text import number, whole

_USUAL = Recipe()
#: Parts of a text, and name and value within a part: characters that a link leaves as they are.
_PART, _IS = "_", "."


def encode(recipe: Recipe, step: int) -> str:
    """What differs from the usual recipe, and the step.

    >>> encode(Recipe(offset=6.0, balance=0.01), 120)
    'offset.6_balance.0,01_at.120'
    """
    names = [f.name for f in fields(Recipe)]
    changed = [(name, getattr(recipe, name)) for name in names if getattr(recipe, name) != getattr(_USUAL, name)]
    return _PART.join(f"{name.replace('_', '-')}{_IS}{_written(value)}" for name, value in [*changed, ("at", step)])


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:.10g}".replace(".", ",") if isinstance(value, float) else str(value)


def decode(text: str) -> tuple[Recipe, int]:
    """Recipe and step of a text; ValueError says what is wrong with it.

    >>> decode(encode(Recipe(data="moons", N=5, centred=True), 40)) == (Recipe(data="moons", N=5, centred=True), 40)
    True
    >>> decode("colour.3")
    Traceback (most recent call last):
    ValueError: names 'colour', which is no entry of a recipe
    """
    given: dict[str, Any] = {}
    step = _USUAL.steps
    for piece in filter(None, text.split(_PART)):
        name, _, value = piece.partition(_IS)
        name, value = name.replace("-", "_"), value.replace(",", ".")
        if name == "at":
            step = whole(value)
        elif name not in Recipe.names():
            raise ValueError(f"names {name[:40]!r}, which is no entry of a recipe")
        else:
            given[name] = _read(value, getattr(_USUAL, name))
    recipe = Recipe(**given)
    return recipe, min(max(step, 0), recipe.steps)


def _read(text: str, usual: Any) -> Any:
    if isinstance(usual, str):
        return text
    if isinstance(usual, bool):
        return bool(whole(text))
    return whole(text) if isinstance(usual, int) else number(text)
