"""Results out: cells as JSON-ready values, cells and counts as CSV, for the command line and the downloads."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tropviz.core.count import decimal_digits
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.window import as_window

#: What `RoutingFan.volumes` measures, by dimension.
MEASURES = {1: "lengths", 2: "areas", 3: "volumes"}
#: Why a fan has no solid angles.
_NOT_CENTRAL = "the router has a bias, so its cells are no cones from the origin"


def cells_report(fan: RoutingFan, *, listed: bool = True, window: Any = None) -> dict[str, Any]:
    """A fan as JSON-ready values.

    Parameters
    ----------
    fan : RoutingFan
    listed : bool
        With the active sets and the pairs of neighbours (row numbers of the active sets).
    window : number or pairs, optional
        With the length, area or volume of every cell in it, d <= 3, in the order of the active sets; 0 outside.

    Returns
    -------
    dict
        ``cells``; listed: ``active_sets``, ``neighbours``; with a window: ``window`` and ``lengths``, ``areas`` or
        ``volumes``; in d = 3, and in d = 2 with a window, ``solid_angles`` (radians or steradians, null with a
        ``solid_angles_reason`` for an affine router).

    Raises
    ------
    ValueError
        For a window that does not fit, or one in more than three dimensions.

    Examples
    --------
    >>> from tropviz import Router
    >>> report = cells_report(RoutingFan(Router([[1, 0], [0, 1], [-1, -1]], k=1)))
    >>> report["cells"]["value"], report["active_sets"], report["neighbours"]
    (3, [[0], [1], [2]], [[0, 1], [0, 2], [1, 2]])
    """
    out: dict[str, Any] = {"cells": fan.count.to_json()}
    if listed:
        out["active_sets"] = fan.active_sets.tolist()
        out["neighbours"] = fan.neighbours.tolist()
    d = fan.router.d
    if window is not None:
        sizes = _sizes(fan, window)
        out["window"], out[MEASURES[d]] = as_window(window, d).tolist(), sizes
    if d == 3 or (d == 2 and window is not None):
        out["solid_angles"] = None if fan.router.b.any() else np.asarray(fan.solid_angles()).tolist()
        if out["solid_angles"] is None:
            out["solid_angles_reason"] = _NOT_CENTRAL
    return out


def cells_csv(fan: RoutingFan, *, window: Any = None, columns: Mapping[str, Sequence[Any]] | None = None) -> str:
    """One line per cell: number, active set, neighbours, whether it is bounded, witness, and its size in the window.

    Parameters
    ----------
    fan, window
        As in `cells_report`.
    columns : mapping of name to m values, optional
        Further columns, in the order of the active sets.

    Examples
    --------
    >>> from tropviz import Router
    >>> print(cells_csv(RoutingFan(Router([[1], [-1]], k=1))))
    cell,active_set,neighbours,bounded,witness_0
    0,0,1,no,1.0
    1,1,0,no,-1.0
    <BLANKLINE>
    """
    d, m = fan.router.d, len(fan.active_sets)
    around: list[list[int]] = [[] for _ in range(m)]
    for i, j in fan.neighbours.tolist():
        around[i].append(j)
        around[j].append(i)
    head = ["cell", "active_set", "neighbours", "bounded", *(f"witness_{axis}" for axis in range(d))]
    extra = dict(columns or {})
    if window is not None:
        sizes = _sizes(fan, window)
        extra[MEASURES[d].removesuffix("s") + "_in_window"] = sizes
    rows: list[list[Any]] = []
    for cell, members in enumerate(fan.active_sets.tolist()):
        row = [cell, _joined(members), _joined(sorted(around[cell])), "yes" if fan.bounded[cell] else "no"]
        rows.append(row + fan.witnesses[cell].tolist() + [values[cell] for values in extra.values()])
    return table_csv([*head, *extra], rows)


def counts_csv(rows: Iterable[Sequence[Any]]) -> str:
    """Counts as CSV: name, value (all digits), kind, interval, method, assumption.

    Examples
    --------
    >>> from tropviz import Count
    >>> print(counts_csv([("Cells", Count(12, "exact", "walk"), "")]).splitlines()[1])
    Cells,12,exact,,,walk,
    """
    table = []
    for row in rows:
        label, count = row[0], row[1]
        exact = isinstance(count.value, int) and not isinstance(count.value, bool)
        value = decimal_digits(count.value) if exact else (count.value if math.isfinite(count.value) else "")
        low, high = count.interval or ("", "")
        table.append([label, value, count.kind, low, high, count.method, count.assumption])
    return table_csv(["name", "value", "kind", "low", "high", "method", "assumption"], table)


def table_csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV text with a line of column names.

    >>> table_csv(["t", "share"], [(0, 0.5)])
    't,share\\n0,0.5\\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def _sizes(fan: RoutingFan, window: Any) -> list[float]:
    """Size of every cell in the window, 0 for those outside; refuses more than three dimensions."""
    sizes = np.zeros(len(fan.active_sets))
    ids, values = fan.volumes(window)
    sizes[np.asarray(ids, dtype=np.int64)] = values
    return list(map(float, sizes))


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
