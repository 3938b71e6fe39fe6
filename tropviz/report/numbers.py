"""Every number of a report, layer by layer, ready for JSON and CSV."""

from __future__ import annotations

import math
from typing import Any

from tropviz.core.capture.compare import compare, specialisation
from tropviz.core.capture.health import health
from tropviz.core.capture.record import Capture
from tropviz.core.count import Count
from tropviz.core.slice_law import gain_dimension
from tropviz.core.slice_law.law import check_width


def numbers(capture: Capture, other: Capture | None = None, width: int | None = None) -> dict[str, Any]:
    """What a report tells.

    Parameters
    ----------
    capture : Capture
    other : Capture, optional
        To compare with, such as a later checkpoint.
    width : int, optional
        Hidden units H of an expert, for ``gain_dimension``: d_gain of experts of ReLU.

    Returns
    -------
    dict
        ``layers``: one dict a layer, keys as in `core.capture.health`, values Counts, numbers, lists or None;
        ``compared``: one dict a layer, or None; ``sources``.

    Raises
    ------
    ValueError
        For a capture that has seen nothing, or two of different shape.
    """
    rows = []
    for layer in capture.layers:
        gate = layer.gate
        head = {"layer": gate.layer, "side": gate.side, "name": layer.name, "N": gate.N, "k": gate.k}
        head |= {"class": gate.kind, "why": gate.rule.refused, "note": gate.note, "tokens": layer.n}
        head |= {"dropped": layer.dropped, "choices_not_recorded": layer.recomputed}
        gain = None if width is None else _gain(gate.N, gate.k, width)
        rows.append(head | health(layer) | {"gain_dimension": gain, "sources_part": specialisation(layer)})
    return {
        "sources": list(capture.sources),
        "layers": rows,
        "compared": None if other is None else compare(capture, other),
    }


def _gain(N: int, k: int, H: int) -> float | None:
    check_width(H)
    try:
        return gain_dimension(N, k, H)
    except ValueError:  # beyond the work budget of the law
        return None


def as_json(value: Any) -> Any:
    """Counts as JSON objects; what is not finite as null."""
    if isinstance(value, Count):
        return value.to_json()
    if isinstance(value, dict):
        return {str(key): as_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def table(found: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """One line a layer: column names and rows; a sampled number has its interval in two columns beside it."""
    head: list[str] = []
    rows = []
    compared = found["compared"] or [{}] * len(found["layers"])
    for layer, more in zip(found["layers"], compared, strict=True):
        row: dict[str, Any] = {}
        for key, value in (layer | {f"compared_{k}": v for k, v in more.items() if k not in ("layer", "side")}).items():
            if isinstance(value, Count):
                row[key] = value.value
                if value.kind == "sampled":
                    row[f"{key}_low"], row[f"{key}_high"] = value.interval or ("", "")
            elif isinstance(value, list):
                row[key] = " ".join(map(_short, value))
            elif isinstance(value, dict):
                row |= {f"{key}_{name}": inner for name, inner in value.items()}
            else:
                row[key] = "" if value is None else value
        head += [name for name in row if name not in head]
        rows.append(row)
    return head, [[row.get(name, "") for name in head] for row in rows]


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "-".join(map(str, value["experts"]))
    return f"{value:.6g}" if isinstance(value, float) else str(value)
