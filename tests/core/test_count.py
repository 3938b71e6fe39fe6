"""Count writes integers of any size, for people and for JSON."""

import json

import pytest

from tropviz import Count


def test_integers_of_any_size():
    big = Count(7**10000, "exact", "7^10000")
    assert "bits" in str(big) and "inf" not in str(big)
    assert int(big) == 7**10000
    assert len(big.to_json()["value"]) == 8451
    json.dumps(big.to_json(), allow_nan=False)


def test_fifteen_digits_in_full_then_powers():
    assert str(Count(409663695276000, "exact", "C(256,8)")) == "409,663,695,276,000"
    assert str(Count(10**15, "exact", "")).startswith("1.000 × 10¹⁵")
    assert str(Count(10**16 - 1, "exact", "")).startswith("1.000 × 10¹⁶")


def test_json_above_two_to_53_is_a_string():
    assert Count(2**53, "exact", "").to_json()["value"] == 2**53
    assert Count(2**53 + 1, "exact", "").to_json()["value"] == str(2**53 + 1)


def test_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kind"):
        Count(1, "roughly", "")


@pytest.mark.parametrize("value", [None, "a", True, 1j, [3]])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="give an integer or a float"):
        Count(value, "exact", "")


def test_numbers_of_numpy_are_written_like_pythons_own():
    import numpy as np

    assert str(Count(np.int64(1820), "exact", "")) == "1,820" and type(Count(np.int32(3), "exact", "").value) is int
    assert json.dumps(Count(np.float32(0.5), "sampled", "").to_json()["value"]) == "0.5"
