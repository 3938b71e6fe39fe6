"""Seeded damage: bytes changed, cut, doubled, numbers made extreme, two files crossed, archives taken apart."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable

#: What is put into the middle of files.
WORDS = (
    *(b"NaN", b"-1", b"1e999", b"[", b"]", b"{", b"}", b'"', b",", b";", b"\n", b"\0", b"null", b"true", b"#"),
    *(b"PK\x01\x02", b"PK\x03\x04", b"\x93NUMPY\x03\0", b"\x80\x04", b"c__builtin__\neval\n", b"\xef\xbb\xbf"),
    *(b"(9999999999, 9999999999)", b"99999999999999999999", b"'descr'", b"|O", b"<f2", b"<c16", b'"dtype"', b"BF16"),
    *(b"sep=;", b"\xe2\x88\x92", b"\xff" * 8),
)
#: The bytes of sizes and offsets that readers compare with.
EDGES = (0, 1, 0x7F, 0x80, 0xFF)


def _flip(data: bytearray, dice: random.Random, _: bytes) -> None:
    for _ in range(dice.randint(1, 4)):
        data[dice.randrange(len(data))] = dice.choice((*EDGES, dice.randrange(256)))


def _cut(data: bytearray, dice: random.Random, _: bytes) -> None:
    del data[dice.randrange(len(data)) :]


def _drop(data: bytearray, dice: random.Random, _: bytes) -> None:
    start = dice.randrange(len(data))
    del data[start : start + dice.randint(1, 16)]


def _double(data: bytearray, dice: random.Random, _: bytes) -> None:
    start = dice.randrange(len(data))
    data[start:start] = data[start : start + dice.randint(1, 64)] * dice.randint(1, 8)


def _put(data: bytearray, dice: random.Random, _: bytes) -> None:
    start = dice.randrange(len(data) + 1)
    word = dice.choice(WORDS)
    data[start : start + dice.choice((0, len(word)))] = word


def _integer(data: bytearray, dice: random.Random, _: bytes) -> None:
    """A size or an offset somewhere."""
    width = dice.choice((2, 4, 8))
    start = dice.randrange(len(data))
    value = dice.choice((0, 1, 2**15, 2 ** (8 * width - 1), 2 ** (8 * width) - 1, dice.getrandbits(8 * width)))
    data[start : start + width] = value.to_bytes(width, "little")


def _cross(data: bytearray, dice: random.Random, other: bytes) -> None:
    data[dice.randrange(len(data)) :] = other[dice.randrange(len(other)) :]


DAMAGE: tuple[Callable[[bytearray, random.Random, bytes], None], ...] = (
    *(_flip, _flip, _put, _put, _integer, _cut, _drop, _double, _cross),
)


def damaged(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """The same file after one to three accidents; an archive is sometimes damaged inside and packed again."""
    if data[:2] == b"PK" and dice.random() < 0.6:
        try:
            return _inside(data, other, dice)
        except (zipfile.BadZipFile, OSError, ValueError):
            return data
    out = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 3))):
        if out:
            dice.choice(DAMAGE)(out, dice, other)
    return bytes(out)


def _inside(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """One member damaged, so that its checksum is right again: what a reader finds behind the archive's own checks."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w", dice.choice((0, 8))) as copy:
        members = archive.infolist()
        chosen = dice.randrange(len(members)) if members else -1
        for i, member in enumerate(members):
            content = bytearray(archive.read(member))
            if i == chosen and content:
                for _ in range(dice.choice((1, 1, 2, 3))):
                    if content:
                        dice.choice(DAMAGE)(content, dice, other)
            copy.writestr(member.filename, bytes(content))
    return out.getvalue()
