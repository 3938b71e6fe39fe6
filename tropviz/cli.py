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
