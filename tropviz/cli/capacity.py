"""``capacity``: promise beside fact, for a shape without weights."""

from __future__ import annotations

from typing import Any

import click

from tropviz.cli.values import WHOLE, emit


@click.command()
@click.option("-N", "experts", type=WHOLE, required=True, help="Number of experts.")
@click.option("-k", "active", type=WHOLE, required=True, help="Number of active experts.")
@click.option("-H", "width", type=WHOLE, required=True, help="Hidden units of an expert.")
@click.option("-d", "dimension", type=WHOLE, required=True, help="Dimension of the input, or of the flat slice.")
@click.option("--d-eff", "effective", type=WHOLE, help="Dimension of the data; by default -d.")
@click.option("-m", "pieces", type=WHOLE, help="Also the shape with every expert cut into this many.")
@click.option("--affine", is_flag=True, help="The laws for routers with Gaussian biases.")
def capacity(
    experts: int,
    active: int,
    width: int,
    dimension: int,
    effective: int | None,
    pieces: int | None,
    affine: bool,
) -> None:
    """Promise beside fact: every count that needs no weights, as exact integers of any size.

    With what chosen weights reach (designed), dense networks of as many regions (depths), and the dimension from which
    on half of the region multiplier is expected (gain_dimension).
    """
    from tropviz.core.capacity import depths, table, table_of_granularity
    from tropviz.core.slice_law import gain_dimension

    rows = table(experts, active, width, dimension, effective, affine)
    result: dict[str, Any] = {name: count.to_json() for name, count in rows.items()}
    try:
        result["gain_dimension"] = gain_dimension(experts, active, width)
    except ValueError as beyond:  # the work budget of the law
        result |= {"gain_dimension": None, "gain_dimension_reason": str(beyond)}
    if dimension:
        result["depths"] = {row.mark: row.to_json() for row in depths(experts, active, width, dimension, affine)}
    if pieces is not None:
        result["granularity"] = table_of_granularity(
            experts, active, width, pieces, dimension if effective is None else effective
        )
    emit(result)
