"""``regions``: linear regions of a layer file."""

from __future__ import annotations

import click

from tropviz.cli.values import WHOLE, emit, unused, window_of


@click.command()
@click.argument("file")
@click.option("-k", "active", type=WHOLE, help="Number of active experts; by default what the file says, else 2.")
@click.option("--window", help="3 for (-3, 3) on every axis, or 0:1,-2:2; by default the whole space.")
def regions(file: str, active: int | None, window: str | None) -> None:
    """Count the linear regions of a layer FILE (W, b, k, U, c; a dense layer has no W), d = 1, 2, 3, exactly."""
    from tropviz.io.read import read_layer

    found = read_layer(file)
    emit(found.layer(active).report(window_of(window)) | unused(found))
