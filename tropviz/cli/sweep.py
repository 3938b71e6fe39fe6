"""``sweep``: many random routers, measured, as a tidy table."""

from __future__ import annotations

from functools import partial
from itertools import product

import click

from tropviz.cli.values import REAL, WHOLE, emit, numbers_of, output_of, wholes_of

#: Most rows of one table.
MOST_ROWS = 1_000_000


@click.command()
@click.option("-N", "experts", default="8", show_default=True, help="Numbers of experts, such as 8,16,32 or 4:12.")
@click.option("-k", "active", default="2", show_default=True, help="Numbers of active experts; k above N is left out.")
@click.option("-H", "widths", default="0", show_default=True, help="Hidden units of an expert; 0: no experts.")
@click.option("-d", "dimensions", default="2", show_default=True, help="Dimensions of the input.")
@click.option("--offsets", default="0", show_default=True, help="Offsets of the data, such as 0,0.5,2.")
@click.option("--seeds", default="0", show_default=True, help="Seeds, such as 0:9, both ends included.")
@click.option("--points", type=WHOLE, default=2000, show_default=True, help="Points of each cloud.")
@click.option("--spread", type=REAL, default=1.0, show_default=True, help="Standard deviation of its coordinates.")
@click.option("--affine", is_flag=True, help="Routers with Gaussian biases.")
@click.option("-o", "output", default="sweep.parquet", show_default=True, help="The table, .parquet or .csv.")
@click.option("--scheduler", help="Work on the workers of this dask scheduler, such as tcp://host:8786.")
def sweep(
    experts: str,
    active: str,
    widths: str,
    dimensions: str,
    offsets: str,
    seeds: str,
    points: int,
    spread: float,
    affine: bool,
    output: str,
    scheduler: str | None,
) -> None:
    """Measure a random router for every N, k, H, d, offset and seed: one row each, as a tidy table.

    Its cells and regions, exact and by the laws, and what its data does. The same numbers on threads and on a cluster.
    """
    from tropviz.core.survey import Shape, survey
    from tropviz.io.cluster import each
    from tropviz.io.tidy import FORMATS, write_rows

    file = output_of(output, FORMATS)
    lists = [wholes_of(text, name) for text, name in ((experts, "-N"), (active, "-k"), (dimensions, "-d"))]
    lists += [wholes_of(widths, "-H"), wholes_of(seeds, "--seeds")]
    places = numbers_of(offsets, "--offsets")
    count = len(places)
    for one in lists:
        count *= len(one)
    if count > MOST_ROWS:
        raise ValueError(f"This is a table of {count:,} rows: the most is {MOST_ROWS:,}.")
    shapes = [Shape(N, k, d, H, seed, affine) for N, k, d, H, seed in product(*lists) if k <= N]
    if not shapes:
        raise ValueError("-k is above every -N: give a number of active experts that is at most that of experts.")
    work = partial(survey, offsets=places, points=points, spread=spread)
    found = each(work, shapes, scheduler, lambda share: click.echo(f"\r{share:.0%}", err=True, nl=False))
    click.echo(err=True)
    rows = [row for part in found for row in part]
    write_rows(file, rows)
    emit({"rows": len(rows), "columns": list(rows[0]), "file": str(file)})
