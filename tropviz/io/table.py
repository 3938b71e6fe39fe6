"""Tables of numbers as text: comma, semicolon, tab or space between entries, one optional line of column names."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tropviz.io.entry import Array
from tropviz.io.source import Source
from tropviz.io.text import quoted
from tropviz.io.written import SHEET_ERROR, is_number, like_a_number, remedy, value_of

#: Characters of the longest line: about 100,000 numbers.
LONGEST = 2_000_000
#: Lines checked for NaN and infinity at once.
_CHECKED = 10_000
#: Characters read at once.
_BLOCK = 2**16
_SEP = re.compile(r"\s*sep=(.)\s*", re.IGNORECASE)
#: The separators, by who would write another of them inside an entry.
_SEPARATORS = ";\t, "


def read_table(source: Source) -> tuple[list[str], Array]:
    """The numbers of a CSV file.

    Empty lines and lines that begin with # are skipped, and a spreadsheet's first line ``sep=;`` is followed. A first
    line is taken as column names only if no entry of it resembles a number. A first line 0, 1, 2 ... may be column
    numbers or a row: that is asked, not guessed.

    Parameters
    ----------
    source : Source
        Read line by line; the numbers take 8 bytes each and nothing else is kept.

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
    >>> columns, values = read_table(Source("points.csv", b"x,y\\n1,2\\n\\n3,4\\n"))
    >>> columns, values.tolist()
    (['x', 'y'], [[1.0, 2.0], [3.0, 4.0]])
    >>> read_table(Source("points.csv", b"1,2\\n3,four"))
    Traceback (most recent call last):
    ...
    ValueError: points.csv: line 2, column 2 is the text 'four': write a number there.
    """
    table = _Table(source, _separator(source))
    try:
        for line, texts in _blocks(source):
            if not table.take_block(line, texts):
                for number, text in _saying(line, texts):
                    table.take(number, text)
    except UnicodeDecodeError:
        raise source.refusal(f"line {_undecodable(source)} is not UTF-8 text", "save the file as UTF-8") from None
    return table.columns, table.done()


@dataclass
class _Table:
    """The rows so far, as one flat row of numbers."""

    source: Source
    separator: str
    columns: list[str] = field(default_factory=list)
    width: int = 0
    numbers: array[float] = field(default_factory=lambda: array("d"))
    checked: int = 0
    lines: list[int] = field(default_factory=list)

    def take_block(self, line: int, texts: list[str]) -> bool:
        """Many lines at once, if all are numbers as Python writes them; else False and nothing is taken."""
        whole = "".join(texts).replace("\u2212", "-")
        if not self.width or not whole.isascii() or any(sign in whole for sign in '"_#'):
            return False
        sign, between = self.separator, self.width - 1
        if sign == " ":
            if any(len(text.split()) != self.width for text in texts):
                return False
            parts = whole.split()
        else:
            if any(text.count(sign) != between for text in texts):
                return False
            parts = whole.removesuffix("\n").replace("\n", sign).split(sign)
        try:
            numbers = array("d", map(float, parts))
        except ValueError:
            return False
        if len(numbers) != self.width * len(texts):
            return False
        self.numbers.extend(numbers)
        self._added(*range(line, line + len(texts)))
        return True

    def take(self, line: int, text: str) -> None:
        """One line of the file."""
        if not self.width:
            if _SEP.fullmatch(text) or not text.strip(self.separator + " \t"):
                return
            self._first(line, text)
        self._with_care(line, text)

    def _first(self, line: int, text: str) -> None:
        """Column names, or the first row: how many columns there are."""
        fields = _fields(self.source, line, text, self.separator)
        self.width = len(fields)
        _ask(self.source, line, fields)
        if any(map(like_a_number, fields)):
            return
        self.columns = fields
        if not all(fields):  # the unnamed first column of a table with row numbers, most often
            what = f"line {line} leaves column {fields.index('') + 1} without a name"
            raise self.source.refusal(what, "delete the column if it holds row numbers, else name it")

    def _with_care(self, line: int, text: str) -> None:
        """A line with quotation marks, unusual numbers, or something wrong."""
        fields = _fields(self.source, line, text, self.separator)
        if not any(fields) or (fields == self.columns and not self.numbers and not self.lines):
            return
        if fields[-1] == "" and (len(fields) == self.width + 1 or not (self.columns or self.numbers)):
            what = f"line {line} ends with a separator"
            raise self.source.refusal(what, "delete the last separator of every line, or write the number after it")
        if len(fields) != self.width:
            what = f"line {line} has {len(fields)} entries, the lines before have {self.width}"
            raise self.source.refusal(what, "give rows of equal length")
        for column, entry in enumerate(fields):
            if not is_number(entry):
                what = f"the text {quoted(entry, 30)}" if entry else "empty"
                raise self.source.refusal(f"line {line}, column {column + 1} is {what}", remedy(entry))
            self.numbers.append(value_of(entry))
        self._added(line)

    def _added(self, *lines: int) -> None:
        if len(self.numbers) > self.source.most:
            raise self.source.refusal(f"the table has more than {self.source.most:,} numbers", "save fewer rows")
        self.lines.extend(lines)
        if len(self.lines) >= _CHECKED:
            self._check()

    def _check(self) -> None:
        """Refuse NaN and infinity among the rows since the last check."""
        fresh = np.frombuffer(self.numbers, dtype=np.float64)[self.checked :]
        wrong = ~np.isfinite(fresh)
        if wrong.any():
            i, j = divmod(int(wrong.argmax()), self.width)
            what = f"line {self.lines[i]}, column {j + 1} is {fresh[i * self.width + j]}"
            raise self.source.refusal(what, "replace it by a finite number")
        del fresh  # an array that is looked at cannot grow
        self.checked = len(self.numbers)
        self.lines = []

    def done(self) -> Array:
        """The table, (n, m)."""
        if not self.numbers:
            what = "there are no numbers"
            if self.columns:
                what = f"the first line is the text {quoted(self.columns[0], 30)} and no numbers follow"
            raise self.source.refusal(what, "write one row of numbers a line")
        self._check()
        values = np.frombuffer(self.numbers, dtype=np.float64).reshape(-1, self.width)
        values.setflags(write=False)
        return values


def _blocks(source: Source) -> Iterator[tuple[int, list[str]]]:
    """(number of the first, lines) in blocks of some ten thousand characters."""
    stream = io.TextIOWrapper(io.BytesIO(source.data), encoding="utf-8-sig", newline=None)
    line = 1
    while texts := stream.readlines(_BLOCK):
        if max(map(len, texts)) > LONGEST:
            number = line + next(i for i, text in enumerate(texts) if len(text) > LONGEST)
            what = f"line {number} is longer than {LONGEST:,} characters"
            raise source.refusal(what, "give one point or expert a line")
        yield line, texts
        line += len(texts)


def _saying(line: int, texts: list[str]) -> Iterator[tuple[int, str]]:
    """(line number, text) of every line that says something."""
    for number, text in enumerate(texts, line):
        says = text.lstrip()
        if says and (says[0] != "#" or SHEET_ERROR.match(says)):
            yield number, text.strip("\n").strip(" ")


def _undecodable(source: Source) -> int:
    for line, text in enumerate(io.BytesIO(source.data), 1):
        try:
            text.decode("utf-8-sig")
        except UnicodeDecodeError:
            return line
    return 1


def _separator(source: Source) -> str:
    """What stands between entries: what ``sep=`` says, else what makes numbers of the first lines."""
    first: list[str] = []
    try:
        for _, text in (pair for block in _blocks(source) for pair in _saying(*block)):
            if (said := _SEP.fullmatch(text)) and not first:
                return said[1]
            first.append(text)
            if len(first) == 2:
                break
    except UnicodeDecodeError:
        pass
    there = [sign for sign in _SEPARATORS if any(sign in text for text in first)]
    for sign in there:
        for text in first:
            if sign in text and all(map(is_number, _split(text, sign))):
                return sign
    return there[0] if there else ","


def _split(text: str, separator: str) -> list[str]:
    if separator == " ":
        return text.split()
    return [part.strip() for part in next(csv.reader([text], delimiter=separator, skipinitialspace=True), [""])]


def _fields(source: Source, line: int, text: str, separator: str) -> list[str]:
    try:
        return _split(text, separator)
    except csv.Error as problem:
        raise source.refusal(f"line {line}: {problem}", "correct the line") from None


def _ask(source: Source, line: int, fields: list[str]) -> None:
    """A first line 0, 1, 2 ... is a header of column numbers in some files and a row in others: ask which."""
    numbers = fields[1:] if fields[0] == "" else fields
    if not numbers or any(entry != str(i) for i, entry in enumerate(numbers)):
        return
    said = ", ".join(numbers[:3]) + (" ..." if len(numbers) > 3 else "")
    if numbers is not fields:
        what = f"line {line} is column numbers, {said}, over a column of row numbers"
        raise source.refusal(what, "save the table without row and column numbers")
    what = f"line {line} ({said}) may be a row or may number the columns"
    raise source.refusal(what, "write 0.0 instead of its 0 if it is a row, else put a # before it")
