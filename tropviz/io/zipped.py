"""Zip archives (npz, pt): the directory is bounded before it is built, and nothing is unpacked to a file."""

from __future__ import annotations

import io
import zipfile

from tropviz.io.source import MAX_ENTRIES, Source
from tropviz.io.text import quoted

#: How the directory of an archive begins each of its lines.
_SIGN = b"PK\x01\x02"


def open_zip(source: Source, what: str, remedy: str) -> zipfile.ZipFile:
    """The archive in a file, opened in memory.

    Parameters
    ----------
    source : Source
    what, remedy : str
        The sentence for a damaged one.

    Raises
    ------
    ValueError
        Damaged, more than `MAX_ENTRIES` members, a name twice, or a packing other than plain and deflate.
    """
    lines = source.data.count(_SIGN)
    if lines > MAX_ENTRIES:  # an upper bound of the members, found before zipfile makes an object for each
        raise source.refusal(f"the archive has more than {MAX_ENTRIES:,} entries", "save fewer arrays")
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
        members = archive.infolist()
    except Exception:  # whatever a damaged archive makes zipfile raise
        raise source.refusal(what, remedy) from None
    names: set[str] = set()
    for member in members:
        if member.filename in names:
            twin = member.filename.removesuffix(".npy")
            raise source.refusal(f"the key {quoted(twin)} occurs twice", "keep one of them")
        names.add(member.filename)
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise source.refusal("the archive is packed in a way that numpy and torch do not use", remedy)
    return archive
