"""``hypersimplex``: the polytope behind top-k routing."""

from __future__ import annotations

import click

from tropviz.cli.values import WHOLE, emit
from tropviz.io.text import quoted, whole


@click.command()
@click.option("-N", "experts", type=WHOLE, required=True, help="Number of experts.")
@click.option("-k", "active", type=WHOLE, required=True, help="Number of active experts.")
@click.option("--cone", "chosen", help="Also the normal cone of this active set, such as 0,3.")
def hypersimplex(experts: int, active: int, chosen: str | None) -> None:
    """Delta(k,N), the polytope behind top-k routing: faces, volume, one normal cone. Exact at any size."""
    from tropviz.core.hypersimplex import Hypersimplex, summary

    polytope = Hypersimplex(experts, active)
    result = summary(polytope)
    if chosen is not None:
        try:
            members = [whole(i) for i in chosen.split(",")]
        except ValueError:
            what = f"--cone is {quoted(chosen)}"
            raise ValueError(f"{what}: give expert numbers with commas between them, as 0,3.") from None
        generators, walls = polytope.normal_cone(members)
        result["cone"] = {"active_set": sorted(members), "generators": generators.tolist(), "walls": walls.tolist()}
    emit(result)
