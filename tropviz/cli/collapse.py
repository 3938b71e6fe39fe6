"""``collapse``: from which offset on a ball of data is in one active set."""

from __future__ import annotations

import click

from tropviz.cli.values import REAL, WHOLE, emit, unused
from tropviz.io.text import number, quoted


@click.command()
@click.argument("file")
@click.option("-k", "active", type=WHOLE, help="Number of active experts; by default what the file says, else 2.")
@click.option("--direction", required=True, help="Where the data moves, such as 0.6,0.8; its length does not matter.")
@click.option("--radius", type=REAL, required=True, help="Radius of the ball that holds the data, at least 0.")
@click.option("--offset", type=REAL, help="Also the cap, and in d = 2 the exact shares, at this offset.")
def collapse(file: str, active: int | None, direction: str, radius: float, offset: float | None) -> None:
    """From which offset on is a whole ball of data in one active set? For a router FILE, exactly."""
    from tropviz.core.collapse import report
    from tropviz.io.read import read_router

    try:
        u = [number(part) for part in direction.split(",")]
    except ValueError:
        what = f"--direction is {quoted(direction)}"
        raise ValueError(f"{what}: give numbers with commas between them, as 0.6,0.8.") from None
    found = read_router(file)
    emit(report(found.router(active), u, radius, offset) | unused(found))
