"""Where input comes from: a path or uploaded bytes, checked for size before anything is decoded."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

#: Largest file read, in bytes. The upload control of the app states and enforces the same number.
MAX_FILE_BYTES = 50_000_000
#: Most numbers decoded from one file, whatever it says: 256 MiB once they are float64.
MAX_NUMBERS = 2**25
#: Numbers that any file may hold, however small it is: a compressed or repeated array of 8 MiB does no harm.
FREE_NUMBERS = 2**20
#: Most named entries of a file: a directory is bounded before anything builds it.
MAX_ENTRIES = 10_000


@dataclass(frozen=True)
class Source:
    """A named piece of data.

    Parameters
    ----------
    name : str
        File name without folders, used in every message.
    data : bytes
        The whole content.
    """

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The extension in lower case, with its dot."""
        return Path(self.name).suffix.lower()

    @property
    def most(self) -> int:
        """Most numbers to decode: no more than one for each byte of the file, so that float64 takes 8 times the file.

        >>> Source("small.npz", b"PK").most, Source("large.npy", bytes(2**21)).most
        (1048576, 2097152)
        """
        return min(MAX_NUMBERS, max(FREE_NUMBERS, len(self.data)))

    def refusal(self, what: str, remedy: str) -> ValueError:
        """The error to raise: one sentence that names the file, the entry and the remedy."""
        return ValueError(f"{self.name}: {what}: {remedy}.")


def open_source(source: str | os.PathLike[str] | bytes, name: str | None = None) -> Source:
    """Read a path, or wrap uploaded bytes.

    Parameters
    ----------
    source : path or bytes
        Bytes need a `name`, whose extension tells the format.
    name : str, optional
        Name for messages; the file's own by default.

    Raises
    ------
    ValueError
        Missing, a folder, not readable, empty, or larger than `MAX_FILE_BYTES`; one sentence.

    Examples
    --------
    >>> open_source(b"1,2", "points.CSV").suffix
    '.csv'
    >>> open_source("nowhere.json")
    Traceback (most recent call last):
    ...
    ValueError: nowhere.json: there is no such file: check the path.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        label, data = _label(name or "upload"), bytes(source)
    else:
        label = _label(name or os.fspath(source))
        data = _read(os.fspath(source), label)
    found = Source(label, data)
    if not data:
        raise found.refusal("the file is empty", "save it again with its numbers in it")
    if len(data) > MAX_FILE_BYTES:
        limit = MAX_FILE_BYTES // 1_000_000
        raise found.refusal(f"the file is larger than {limit} MB", "save fewer rows, or as float32 npz")
    return found


def _label(name: str) -> str:
    """The last part of a path, printable and short enough for a sentence."""
    last = Path(name.replace("\0", "?")).name or name
    text = "".join(c if c.isprintable() else "?" for c in last)
    return text if len(text) <= 80 else text[:38] + "…" + text[-38:]


def _read(path: str, label: str) -> bytes:
    nothing = Source(label, b"")
    try:
        if os.path.isdir(path):
            raise nothing.refusal("this is a folder", "give a file")
        with open(path, "rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise nothing.refusal("there is no such file", "check the path") from None
    except PermissionError:
        raise nothing.refusal("the file may not be read", "change its permissions") from None
    except OSError as problem:
        raise nothing.refusal(f"it cannot be read ({problem.strerror})", "check the path") from None
