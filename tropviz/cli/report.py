"""``report``: a capture as a page, with JSON and CSV beside it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tropviz.cli.values import WHOLE, emit, output_of


@click.command()
@click.argument("captures", nargs=-1, required=True)
@click.option("-o", "output", default="report.html", show_default=True, help="The page; .json and .csv lie beside it.")
@click.option("--with", "other", help="Another capture to compare with: a later checkpoint, other prompts.")
@click.option("-N", "experts", type=WHOLE, help="Number of experts, where only choices were recorded.")
@click.option("-H", "width", type=WHOLE, help="Hidden units of an expert of ReLU, for d_gain.")
@click.option("--scheduler", help="Read and merge on the workers of this dask scheduler, such as tcp://host:8786.")
def report(
    captures: tuple[str, ...],
    output: str,
    other: str | None,
    experts: int | None,
    width: int | None,
    scheduler: str | None,
) -> None:
    """Write a report of CAPTURES (npz of tropviz.capture, npy or csv of recorded choices) that needs no network.

    Several, such as the shards of one run, are merged in the order given.
    """
    from tropviz.io.cluster import merged
    from tropviz.io.traces import read_capture
    from tropviz.io.write import table_csv
    from tropviz.report import as_json, numbers, page, table

    page_file = output_of(output, [".html", ".htm"])
    seen = merged(captures, experts, scheduler)
    found = numbers(seen, read_capture(other, experts) if other else None, width)
    files = {page_file: page(seen, found, Path(captures[0]).name)}
    files[page_file.with_suffix(".json")] = json.dumps(as_json(found), allow_nan=False, indent=1)
    files[page_file.with_suffix(".csv")] = table_csv(*table(found))
    for file, text in files.items():
        file.write_text(text, encoding="utf-8")
    emit({"layers": len(seen.layers), "files": [str(file) for file in files]})
