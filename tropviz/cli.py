"""The same core from the shell: JSON on standard output, messages on standard error, exit 2 on bad input."""

from __future__ import annotations

import json
import sys
from typing import Any

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """See how a Mixture-of-Experts router cuts up space."""


def emit(result: dict[str, Any]) -> None:
    """Print one JSON object; NaN and infinity never reach it (they are null with a reason)."""
    click.echo(json.dumps(result, allow_nan=False))


@cli.command()
@click.option("-N", "experts", type=int, required=True, help="Number of experts.")
@click.option("-k", "active", type=int, required=True, help="Number of active experts.")
@click.option("--cone", "chosen", help="Also the normal cone of this active set, such as 0,3.")
def hypersimplex(experts: int, active: int, chosen: str | None) -> None:
    """Delta(k,N), the polytope behind top-k routing: faces, volume, one normal cone. Exact at any size."""
    from tropviz.core.hypersimplex import Hypersimplex, summary

    polytope = Hypersimplex(experts, active)
    result = summary(polytope)
    if chosen is not None:
        try:
            members = [int(i) for i in chosen.split(",")]
        except ValueError:
            raise ValueError(f"--cone is {chosen!r}: give expert numbers with commas between them, as 0,3.") from None
        generators, walls = polytope.normal_cone(members)
        result["cone"] = {"active_set": sorted(members), "generators": generators.tolist(), "walls": walls.tolist()}
    emit(result)


@cli.command()
@click.option("-N", "experts", type=int, required=True, help="Number of experts.")
@click.option("-k", "active", type=int, required=True, help="Number of active experts.")
@click.option("-H", "width", type=int, required=True, help="Hidden units of an expert.")
@click.option("-d", "dimension", type=int, required=True, help="Dimension of the input, or of the flat slice.")
@click.option("--d-eff", "effective", type=int, help="Dimension of the data; by default -d.")
@click.option("-m", "pieces", type=int, help="Also the shape with every expert cut into this many.")
def capacity(experts: int, active: int, width: int, dimension: int, effective: int | None, pieces: int | None) -> None:
    """Promise beside fact: every count that needs no weights, as exact integers of any size."""
    from tropviz.core.capacity import table, table_of_granularity

    result: dict[str, Any] = {
        name: count.to_json() for name, count in table(experts, active, width, dimension, effective).items()
    }
    if pieces is not None:
        result["granularity"] = table_of_granularity(
            experts, active, width, pieces, dimension if effective is None else effective
        )
    emit(result)


@cli.command("slice-law")
@click.option("-N", "experts", type=int, required=True, help="Number of experts.")
@click.option("-k", "active", type=int, required=True, help="Number of active experts.")
@click.option("-d", "dimension", type=int, help="One dimension; by default all, until nothing is missing.")
@click.option("--affine", is_flag=True, help="A router with Gaussian biases.")
def slice_law(experts: int, active: int, dimension: int | None, affine: bool) -> None:
    """How many of the C(N,k) cells a random router is expected to keep in d dimensions."""
    from tropviz.core.slice_law import summary

    emit(summary(experts, active, dimension, affine))


def main() -> None:
    """Run; every refusal is one sentence on standard error and exit code 2."""
    try:
        cli(standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except (click.ClickException, ValueError, OSError) as problem:
        message = problem.format_message() if isinstance(problem, click.ClickException) else str(problem)
        click.echo(f"tropviz: {message}", err=True)
        sys.exit(2)
