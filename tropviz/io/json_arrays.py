"""JSON -> named arrays. What Python's decoder would need is bounded before it sees the text."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tropviz.io.entry import AXES, Array, Entries, Entry, check_size, entry, finite
from tropviz.io.source import Source
from tropviz.io.text import quoted

#: Bytes that Python takes for what follows each of these: a number with its place in a list and in the array, a list,
#: an object, a name with its value, half a text.
_COST = {b",": 41, b"[": 80, b"{": 300, b":": 250, b'"': 30}
#: Most bytes that decoding may take, beside the text: a multiple of the file, but this much always, and never more.
_TIMES, _ALWAYS, _MOST = 8.5, 64_000_000, 400_000_000


def read_json(source: Source) -> Entries:
    """The arrays of a JSON object by name, or of a lone list without one; null is as if it were not there.

    Raises
    ------
    ValueError
        No JSON, a name twice, nested too deeply, or so many short entries that decoding would take too much memory.

    Examples
    --------
    >>> found = read_json(Source("r.json", b'{"W": [[1, 0], [0, 1]], "k": 1, "note": "mine"}'))
    >>> found["W"]().tolist(), found["k"].shape, found["note"].shape
    ([[1.0, 0.0], [0.0, 1.0]], (), None)
    """
    content = _content(source)
    if isinstance(content, list):
        content = {"": content}
    if not isinstance(content, dict):
        raise source.refusal("the content is neither an object nor a list", 'write {"W": [[...], ...], "b": [...]}')
    return {name: json_entry(source, name, value) for name, value in content.items() if value is not None}


def json_entry(source: Source, name: str, value: Any) -> Entry:
    """A value of Python's own types as an entry: a number or nested lists of numbers, else refused when called."""
    if isinstance(value, dict | str):
        inner = tuple(map(str, list(value)[:5])) if isinstance(value, dict) else ()
        return Entry(lambda: finite(source, name, nested(source, name, value)), inner=inner)
    return Entry(
        lambda: finite(source, name, nested(source, name, value)),
        lambda: _shape(source, name, value),
    )


def text_of(source: Source) -> str:
    """The content as text; refused where it is not UTF-8."""
    try:
        return source.data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = source.data.count(b"\n", 0, problem.start) + 1
        raise source.refusal(f"line {line} is not UTF-8 text", "save the file as UTF-8") from None


def _content(source: Source) -> Any:
    _affordable(source)
    try:
        return json.loads(text_of(source), object_pairs_hook=lambda pairs: _no_twins(source, pairs))
    except json.JSONDecodeError as problem:
        where = f"line {problem.lineno}, column {problem.colno}"
        raise source.refusal(f"{where}: {problem.msg}", "correct the JSON there") from None
    except RecursionError:
        raise source.refusal("the lists are nested too deeply", f"use at most {AXES} levels") from None
    except ValueError as problem:
        if str(problem).startswith(f"{source.name}: "):
            raise
        raise source.refusal("a whole number has too many digits", "write it as 1.5e300") from None


def _affordable(source: Source) -> None:
    """Refuse a text that Python's decoder would blow up, from a count of its signs."""
    data = source.data
    cost = sum(data.count(sign) * each for sign, each in _COST.items())
    if not data.isascii():  # one wide character makes every character of a Python text 2 or 4 bytes wide
        cost += len(data) * (3 if int(np.frombuffer(data, np.uint8).max()) >= 0xF0 else 1)
    if cost > min(_MOST, max(_ALWAYS, _TIMES * len(data))):
        what = f"decoding its many short entries would take {cost // 1_000_000:,} MB"
        raise source.refusal(what, "save the numbers as npz, or give fewer")


def _no_twins(source: Source, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in pairs:
        if name in out:
            raise source.refusal(f"the key {quoted(name)} occurs twice", "keep one of them")
        out[name] = value
    return out


def _shape(source: Source, name: str, value: Any) -> tuple[int, ...]:
    """The shape that the first entries of nested lists promise."""
    shape: list[int] = []
    while isinstance(value, list):
        shape.append(len(value))
        if len(shape) > AXES:
            raise source.refusal(f"{entry(name)} has more than {AXES} levels of lists", "nest fewer lists")
        value = value[0] if value else 0.0
    return tuple(shape)


def nested(source: Source, name: str, value: Any) -> Array:
    """Nested lists of numbers as an array; types and lengths are checked entry by entry, and made one after that."""
    shape = _shape(source, name, value)
    check_size(source, name, shape)  # first: lists that share their parts are longer than the file
    _check(source, name, value, shape, ())
    return np.array(value, dtype=np.float64).reshape(shape)


def _check(source: Source, name: str, value: Any, shape: tuple[int, ...], index: tuple[int, ...]) -> None:
    if not shape:
        _check_number(source, name, index, value)
        return
    if not isinstance(value, list):
        raise source.refusal(f"{entry(name, index)} is not a list", "give rows of equal length")
    if len(value) != shape[0]:
        twin = entry(name, [0] * len(index))
        what = f"{entry(name, index)} has {len(value)} entries and {twin} has {shape[0]}"
        raise source.refusal(what, "give rows of equal length")
    if len(shape) == 1 and all(type(v) is float for v in value):
        return
    for i, inner in enumerate(value):
        _check(source, name, inner, shape[1:], (*index, i))


def _check_number(source: Source, name: str, index: tuple[int, ...], value: Any) -> None:
    if type(value) in (int, float):  # bool is an int to Python, not to us
        try:
            float(value)
        except OverflowError:
            raise source.refusal(f"{entry(name, index)} is beyond 1.8e308", "scale the numbers down") from None
        return
    kinds = {str: "a text", bool: "true or false", list: "a list", dict: "an object", type(None): "null"}
    what = f"{entry(name, index)} is {kinds.get(type(value), 'no number')}"
    raise source.refusal(what, "write a number there")
