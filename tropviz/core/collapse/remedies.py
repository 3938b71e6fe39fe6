"""What would undo the collapse, like with like: all remedies measured on the same data, and what they make worse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tropviz.core.collapse.balance import balancing_bias
from tropviz.core.collapse.rectifier import rectified
from tropviz.core.collapse.statistics import Routed, routed
from tropviz.core.count import Count
from tropviz.core.experts.reached import regions_reached
from tropviz.core.router import Router

if TYPE_CHECKING:
    from tropviz.core.experts.layer import MoELayer


@dataclass(frozen=True)
class Remedy:
    """One row: a router, what the data does with it, and what it does worse than the router as it is.

    Attributes
    ----------
    name : str
        'as it is', 'centring', 'shared expert', 'bias' or 'balancing'.
    what : str
        What the router sees, or gets, in the field's notation.
    router : Router
    seen : Routed
        Active sets hit, saturation, entropy, loads of the data.
    regions : Count or None
        Linear regions the data reaches, where a layer was given.
    worse : tuple of str
        Which of 'saturation', 'effective sets', 'load imbalance' is worse than without any remedy, their 95 % intervals
        apart.
    """

    name: str
    what: str
    router: Router
    seen: Routed
    regions: Count | None
    worse: tuple[str, ...]


def remedies(
    router: Router,
    X: Any,
    fitted: Any = None,
    strength: float = 1.0,
    layer: MoELayer | None = None,
    mean: Any = None,
) -> tuple[Remedy, ...]:
    """Every remedy on the same data.

    Parameters
    ----------
    router : Router
    X : array-like (n, d)
        The data that is routed.
    fitted : array-like (m, d), optional
        The data whose mean and loads the remedies were made for: all of them are frozen at it. By default X itself:
        all of them follow the data.
    strength : float
        lambda of the shared expert and of the bias; centring takes all of the mean away.
    layer : MoELayer, optional
        A layer with this router, for the regions reached: a remedy changes which experts are active, not their hinges.
    mean : array-like (d,), optional
        What is taken away, where the mean of the data is known better than from this sample of it.

    Returns
    -------
    tuple of Remedy, the router as it is first

    Raises
    ------
    ValueError
        For empty tables.

    Notes
    -----
    For a router, a shared expert that carries lambda of the mean and the bias b - lambda W mu are one and the same; at
    lambda = 1 so is centring. They differ only in whether they follow when the data moves on, and here they all do
    or none. A shared expert that runs in parallel changes nothing for the router of its own layer.

    Examples
    --------
    >>> import numpy as np
    >>> from tropviz.core.collapse import cloud
    >>> router = Router(np.random.default_rng(0).normal(size=(8, 3)), k=2)
    >>> X = cloud(500, 3, offset=30, direction=[1, 0, 0], spread=1, seed=0)
    >>> rows = remedies(router, X)
    >>> [row.name for row in rows]
    ['as it is', 'centring', 'shared expert', 'bias', 'balancing']
    >>> rows[0].seen.saturation.value > rows[1].seen.saturation.value > 0, rows[4].seen.imbalance.value < 0.05
    (True, True)
    """
    points = np.asarray(X, dtype=np.float64)
    known = points if fitted is None else np.asarray(fitted, dtype=np.float64)
    plain = _row("as it is", "W x + b", router, points, layer, None)
    mean = known.mean(axis=0) if mean is None else np.asarray(mean, dtype=np.float64)
    part = "" if strength == 1 else f"{strength:g} "
    plans = [
        ("centring", "x − μ", rectified(router, mean)),
        ("shared expert", f"x − {part}μ", rectified(router, mean, strength)),
        ("bias", f"b − {part}W μ", rectified(router, mean, strength)),
        ("balancing", "W x + b, b balances the loads", Router(router.W, balancing_bias(router, known), router.k)),
    ]
    return (plain, *(_row(name, what, other, points, layer, plain.seen) for name, what, other in plans))


def _row(name: str, what: str, router: Router, X: Any, layer: MoELayer | None, plain: Routed | None) -> Remedy:
    seen, reached = routed(router, X), None
    if layer is not None:
        reached = regions_reached(layer, X, router.active_sets(X))
    return Remedy(name, what, router, seen, reached, () if plain is None else worse(seen, plain))


def worse(seen: Routed, plain: Routed) -> tuple[str, ...]:
    """What is worse than it was, 95 % intervals apart: of 'saturation', 'effective sets', 'load imbalance'.

    >>> central = Router([[1.0, 0.0], [-1.0, 0.0]], k=1)
    >>> balanced, collapsed = (routed(central, [[x, 0.0] for x in range(low, low + 50)]) for low in (-25, 1))
    >>> worse(collapsed, balanced), worse(balanced, collapsed)
    (('saturation', 'effective sets', 'load imbalance'), ())
    """
    found = {
        "saturation": _apart(plain.saturation, seen.saturation),
        "effective sets": _apart(seen.effective_sets, plain.effective_sets),
        "load imbalance": _apart(plain.imbalance, seen.imbalance),
    }
    return tuple(name for name, worse in found.items() if worse)


def _apart(less: Count, more: Count) -> bool:
    """Whether one number is below another for certain: by their intervals, or as numbers where there is none."""
    return (less.interval or (0.0, less.value))[1] < (more.interval or (more.value, 0.0))[0]
