"""Tidy tables out: one row an observation, as Parquet or CSV."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tropviz.io.write import table_csv

FORMATS = (".parquet", ".csv")


def write_rows(file: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Rows of equal keys; None is a missing value.

    Raises
    ------
    ValueError
        For another extension, a folder that is not there, or Parquet without the package pyarrow.
    """
    if file.suffix.lower() not in FORMATS:
        raise ValueError(f"{file.name}: the extension is {file.suffix or 'missing'}: use {' or '.join(FORMATS)}.")
    if not file.absolute().parent.is_dir():
        raise ValueError(f"{file.name}: its folder is not there: make it, or give another.")
    if file.suffix.lower() == ".csv":
        head = list(rows[0])
        lines = [["" if row[name] is None else row[name] for name in head] for row in rows]
        file.write_text(table_csv(head, lines), encoding="utf-8")
        return
    try:
        arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise ValueError(f"{file.name}: Parquet needs the package pyarrow: install it, or write .csv.") from None
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    kinds = {name: arrow.float64() for name, values in columns.items() if all(v is None for v in values)}
    parquet.write_table(arrow.table({n: arrow.array(v, kinds.get(n)) for n, v in columns.items()}), file)
