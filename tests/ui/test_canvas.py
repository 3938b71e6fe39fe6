"""The canvas message: what is packed can be unpacked, and what JSON cannot hold is refused."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tropviz.figures.picture import Once
from tropviz.ui.canvas import pack
from tropviz.ui.scene.weight import weight

CODES = {"f4": np.float32, "f8": np.float64, "i4": np.int32, "u1": np.uint8}


def unpack(message: bytes):
    """As `ui/canvas/js/payload.js` does it."""
    length, zero = struct.unpack_from("<II", message)
    assert zero == 0
    base = 8 + -(-length // 8) * 8

    def revive(value):
        if "$b" in value:
            offset, size, code = value["$b"]
            return np.frombuffer(message, CODES[code], size, base + offset)
        if "$m" in value:
            offset, size = value["$m"]
            return unpack(message[base + offset : base + offset + size])
        return value

    return json.loads(message[8 : 8 + length], object_hook=revive)


arrays = st.sampled_from(list(CODES.values())).flatmap(lambda kind: hnp.arrays(kind, st.integers(0, 9), elements=None))


@given(st.lists(arrays, max_size=5))
def test_what_is_packed_can_be_unpacked(parts: list[np.ndarray]) -> None:
    message = pack({"data": [{"x": part} for part in parts], "meta": {"rev": 3, "handle": None}})
    assert len(message) % 8 == 0
    found = unpack(message)
    assert found["meta"] == {"rev": 3, "handle": None}
    for part, got in zip(parts, found["data"], strict=True):
        assert got["x"].dtype == part.dtype
        np.testing.assert_array_equal(got["x"], part)


def test_every_buffer_is_aligned_for_a_typed_array() -> None:
    message = pack({"a": np.zeros(3, np.uint8), "b": np.arange(5.0), "c": np.zeros(1, np.int32)})
    length = struct.unpack_from("<I", message)[0]
    head = json.loads(message[8 : 8 + length])
    assert all(ref["$b"][0] % 8 == 0 for ref in head.values())


def test_what_many_are_sent_is_encoded_once() -> None:
    items = Once({"x": np.arange(3.0) + i, "name": str(i)} for i in range(4))
    for _ in range(2):
        found = unpack(pack({"x": np.zeros(5, np.uint8), "frames": {"items": items}}))
        assert [item["name"] for item in found["frames"]["items"]] == ["0", "1", "2", "3"]
        np.testing.assert_array_equal(found["frames"]["items"][2]["x"], [2.0, 3.0, 4.0])
    first = items.encoded
    assert len(pack({"items": items})) > len(first or b"") and items.encoded is first
    assert weight(items) > weight(list(items)) + len(first or b"") - 1


def test_numpy_numbers_become_plain_ones() -> None:
    assert unpack(pack({"n": np.int64(4), "x": np.float32(0.5)})) == {"n": 4, "x": 0.5}


def test_nan_outside_an_array_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        pack({"x": float("nan")})


def test_other_array_types_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="int64"):
        pack({"x": np.zeros(2, np.int64)})
