"""``cells``: cells of a router file."""

from __future__ import annotations

import click

from tropviz.cli.values import WHOLE, emit, unused, window_of


@click.command()
@click.argument("file")
@click.option("-k", "active", type=WHOLE, help="Number of active experts; by default what the file says, else 2.")
@click.option("--list", "listed", is_flag=True, help="Also every active set and the pairs of neighbours.")
@click.option("--window", help="Also the size of each cell in it: 3 for [-3, 3], or 0:1,-2:2. In d = 3 it is 3.")
def cells(file: str, active: int | None, listed: bool, window: str | None) -> None:
    """Count the cells of a router FILE (json, npz, npy, csv, safetensors, pt), in any dimension, exactly.

    In three dimensions volumes in the window are added, and solid angles where the router has no bias.
    """
    from tropviz.core.fan.routing_fan import RoutingFan
    from tropviz.io.read import read_router
    from tropviz.io.write import cells_report

    found = read_router(file)
    router = found.router(active)
    box = window_of(window if window is not None or router.d != 3 else "3")
    emit(cells_report(RoutingFan(router), listed=listed, window=box) | unused(found))
