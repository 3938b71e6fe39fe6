"""Texts of tokens that come with their inputs: a list of strings in JSON, an array of strings in npz."""

from __future__ import annotations

import io
import json
import math
import zipfile

import numpy as np

from tropviz.io.source import Source, open_source

NAME = "texts"
#: Longest text of one token.
_LETTERS = 200
#: Bytes that Python takes for a text, beside its letters.
_TEXT = 64


def read_texts(content: bytes, name: str, n: int) -> tuple[str, ...] | None:
    """The texts of n tokens, or None where the file has none.

    Parameters
    ----------
    content : bytes
    name : str
        Its extension tells the format; only json and npz hold texts.
    n : int
        Tokens.

    Raises
    ------
    ValueError
        One sentence: not one text a token, too long, or no texts at all.

    Examples
    --------
    >>> read_texts(b'{"X": [[1], [2]], "texts": ["a", "b"]}', "two.json", 2)
    ('a', 'b')
    """
    source = open_source(content, name)
    if source.suffix == ".json":
        found = _json(source)
    elif source.suffix == ".npz":
        found = _npz(source, n)
    else:
        found = None
    if found is None:
        return None
    if len(found) != n:
        raise source.refusal(f"there are {len(found)} texts for {n} tokens", "give one for each")
    return tuple(text[:_LETTERS] for text in found)


def _json(source: Source) -> list[str] | None:
    if f'"{NAME}"'.encode() not in source.data:
        return None
    content = json.loads(source.data)  # the points have been read from it: it is JSON
    found = content.get(NAME) if isinstance(content, dict) else None
    if found is None:
        return None
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise source.refusal("texts are no list of strings", 'write "texts": ["one", "two"]')
    return found


def _npz(source: Source, n: int) -> list[str] | None:
    remedy = "save them with numpy.savez(..., texts=numpy.array(list_of_strings))"
    with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        if f"{NAME}.npy" not in archive.namelist():
            return None
        member = archive.getinfo(f"{NAME}.npy")
        with archive.open(member) as stream:
            try:
                version = np.lib.format.read_magic(stream)
                read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
                shape, _, kind = read(stream)
            except (ValueError, EOFError):
                raise source.refusal("texts cannot be read", remedy) from None
            size = math.prod(shape) * kind.itemsize
            much = size + _TEXT * math.prod(shape) > 8 * source.most
            if kind.kind != "U" or much or size != member.file_size - stream.tell():
                raise source.refusal(f"texts are {kind.name} of shape {shape}", remedy)
            if shape != (n,):
                raise source.refusal(f"texts have shape {shape} for {n} tokens", "give one for each")
            return [str(text) for text in np.frombuffer(stream.read(size), dtype=kind)]
