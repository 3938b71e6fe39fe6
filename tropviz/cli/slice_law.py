"""``slice-law``: what a random router is expected to keep in a slice."""

from __future__ import annotations

import click

from tropviz.cli.values import WHOLE, emit


@click.command("slice-law")
@click.option("-N", "experts", type=WHOLE, required=True, help="Number of experts.")
@click.option("-k", "active", type=WHOLE, required=True, help="Number of active experts.")
@click.option("-d", "dimension", type=WHOLE, help="One dimension; by default all, until nothing is missing.")
@click.option("--affine", is_flag=True, help="A router with Gaussian biases.")
def slice_law(experts: int, active: int, dimension: int | None, affine: bool) -> None:
    """How many of the C(N,k) cells a random router is expected to keep in d dimensions."""
    from tropviz.core.slice_law import summary

    emit(summary(experts, active, dimension, affine))
