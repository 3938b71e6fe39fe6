"""Tables of numbers as text: comma, semicolon, tab or space between entries, one optional line of column names."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tropviz.io.source import MAX_NUMBERS, Source
from tropviz.io.text import number

Array = NDArray[np.float64]


def read_table(source: Source, text: str) -> tuple[list[str], Array]:
    """The numbers of a CSV text.

    Empty lines and lines that begin with # are skipped. A first line without any number is taken as column names.

    Parameters
    ----------
    source : Source
        Named in messages.
    text : str
        The decoded content.

    Returns
    -------
    columns : list of str
        Column names, empty when the file has none.
    values : (n, m) float64, read-only
        Finite numbers.

    Raises
    ------
    ValueError
        Text, NaN or infinity in the table, rows of different length, no numbers; names the line.

    Examples
    --------
    >>> source = Source("points.csv", b"")
    >>> columns, values = read_table(source, "x,y\\n1,2\\n\\n3,4\\n")
    >>> columns, values.tolist()
    (['x', 'y'], [[1.0, 2.0], [3.0, 4.0]])
    >>> read_table(source, "1,2\\n3,four")
    Traceback (most recent call last):
    ...
    ValueError: points.csv: line 2, column 2 is the text 'four': write a number there.
    """
    columns: list[str] = []
    rows: list[list[float]] = []
    lines: list[int] = []
    for line, fields in _records(source, text):
        if not rows and not columns and not any(_is_number(f) for f in fields):
            columns = [f.strip() for f in fields]
            if not all(columns):  # the unnamed first column of a table with row numbers, most often
                what = f"line {line} leaves column {columns.index('') + 1} without a name"
                raise source.refusal(what, "delete the column if it holds row numbers, else name it")
            continue
        width = len(columns) or (len(rows[0]) if rows else len(fields))
        if len(fields) != width:
            what = f"line {line} has {len(fields)} entries, the lines before have {width}"
            raise source.refusal(what, "give rows of equal length")
        rows.append([_number(source, line, j, f) for j, f in enumerate(fields)])
        lines.append(line)
        if len(rows) * width > MAX_NUMBERS:
            raise source.refusal(f"the table has more than {MAX_NUMBERS:,} numbers", "save fewer rows")
    if not rows:
        what = f"line 1 is the text {_short(columns[0])} and no numbers follow" if columns else "there are no numbers"
        raise source.refusal(what, "write one row of numbers a line")
    values = np.array(rows, dtype=np.float64)
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        i, j = (int(n) for n in wrong[0])
        what = f"line {lines[i]}, column {j + 1} is {values[i, j]}"
        raise source.refusal(what, "replace it by a finite number")
    values.setflags(write=False)
    return columns, values


def _records(source: Source, text: str) -> Iterator[tuple[int, list[str]]]:
    """(line number, fields) of every line that says something."""
    delimiter = next((c for c in ",;\t " if c in _first_line(text)), ",")
    lines = io.StringIO(text, newline=None)
    reader = csv.reader((ln.rstrip("\n").strip(" ") for ln in lines), delimiter=delimiter, skipinitialspace=True)
    try:
        for fields in reader:
            if fields and any(fields) and not fields[0].lstrip().startswith("#"):
                yield reader.line_num, fields
    except csv.Error as problem:
        raise source.refusal(f"line {reader.line_num}: {problem}", "correct the line") from None


def _first_line(text: str) -> str:
    return next((ln.strip() for ln in text.splitlines() if ln.strip() and not ln.lstrip().startswith("#")), "")


def _is_number(field: str) -> bool:
    try:
        number(field)
    except ValueError:
        return False
    return True


def _number(source: Source, line: int, column: int, field: str) -> float:
    if _is_number(field):
        return float(field)
    what = f"the text {_short(field)}" if field.strip() else "empty"
    remedy = "write a decimal point, not a comma" if _is_number(field.replace(",", ".")) else "write a number there"
    raise source.refusal(f"line {line}, column {column + 1} is {what}", remedy)


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 30 else text[:29] + "…")
