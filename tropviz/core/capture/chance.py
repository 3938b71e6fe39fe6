"""Who goes where more than chance would have it: sources by experts and tokens by experts, against permutations."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln

from tropviz.core.capture.layer import Layer
from tropviz.core.router import Array, Ints

#: Share of permutations that may show anything at all in a table.
LEVEL = 0.05


def against_chance(table: Any, rows: Any) -> Array:
    """Tokens of each row that use each expert, against rows that are dealt out at random.

    When the tokens' rows are permuted, a cell is hypergeometric: so many of a row's tokens among the users of an
    expert. No permutation has to be drawn.

    Parameters
    ----------
    table : (s, N) integers
        Tokens of each row that use each expert.
    rows : (s,) integers
        Tokens of each row.

    Returns
    -------
    (s, N) float64
        Doublings of what is expected; 0 where permutations explain the cell (5 %, two-sided, shared by all cells:
        Bonferroni), NaN for experts that nobody uses, minus infinity where an expected use is missing.

    Examples
    --------
    >>> against_chance([[100, 50, 0], [0, 50, 0]], [100, 100]).tolist()
    [[1.0, 0.0, nan], [-inf, 0.0, nan]]
    """
    table, rows = np.asarray(table, dtype=np.int64), np.asarray(rows, dtype=np.int64)[:, None]
    n, load = int(rows.sum()), table.sum(axis=0)[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        doublings = np.log2(table * n / (load * rows))
    used = np.broadcast_to(load > 0, table.shape)
    level = LEVEL / max(1, int(used.sum())) / 2
    return np.where(used & (_tail(table, n, load, rows, level) > level), 0.0, doublings)


def _tail(found: Any, n: int, load: Any, rows: Any, enough: float) -> Array:
    """Hypergeometric probability of `found` or what is yet farther from the mean, or anything above `enough`.

    Terms fall in that direction, each by a known factor. (The distributions of scipy.stats would cost 35 MB.)
    """
    k, load, rows = (np.broadcast_to(v, found.shape).astype(np.float64) for v in (found, load, rows))
    up = k * n >= load * rows
    log = gammaln(load + 1) + gammaln(n - load + 1) + gammaln(rows + 1) + gammaln(n - rows + 1) - gammaln(n + 1)
    for part in (k, load - k, rows - k, n - load - rows + k):
        log -= gammaln(part + 1)
    term = np.exp(log)
    out = term.copy()
    while True:
        more, less = (load - k) * (rows - k), k * (n - load - rows + k)
        below, above = (load - k + 1) * (rows - k + 1), (k + 1) * (n - load - rows + k + 1)
        term = term * np.where(up, more, less) / np.where(up, above, below)
        out += term
        k = k + np.where(up, 1, -1)
        if not ((out <= enough) & (term > 1e-9 * out)).any():
            return out


def by_source(layer: Layer) -> tuple[Ints, Array] | None:
    """Numbers of the sources that have tokens, and `against_chance` of all tokens; None for fewer than two sources."""
    known = np.flatnonzero(layer.tokens)
    return None if len(known) < 2 else (known, against_chance(layer.load[known], layer.tokens[known]))


def by_token(layer: Layer, most: int = 40) -> tuple[Ints, Array] | None:
    """Ids of the most frequent tokens of the sample, and `against_chance` of them and the rest; None without ids."""
    sample, N = layer.sample, layer.gate.N
    ids, code, counts = np.unique(sample.token, return_inverse=True, return_counts=True)
    code = code.ravel()
    order = np.argsort(-counts, kind="stable")
    chosen = order[ids[order] >= 0][:most]
    if len(chosen) < 2:
        return None
    place = np.full(len(ids), len(chosen))
    place[chosen] = np.arange(len(chosen))
    row = place[code]
    pairs = (row[:, None] * N + sample.chosen).ravel()
    table = np.bincount(pairs, minlength=(len(chosen) + 1) * N).reshape(-1, N)
    rows = np.bincount(row, minlength=len(chosen) + 1)
    found = against_chance(table, rows) if rows[-1] else against_chance(table[:-1], rows[:-1])
    return ids[chosen].astype(np.int64), found[: len(chosen)]
