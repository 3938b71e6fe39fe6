"""All k at once on the Router fan page: the pieces are counted and drawn, one level lit."""

from __future__ import annotations

from tests.pages.reading import counts, open_page, pictures


def test_the_walls_of_one_k_light_up():
    bare = open_page("fan", n="9", k="3", hg="0")
    at = open_page("fan", n="9", k="3", hg="0", lv="3")
    assert not at.exception
    assert counts(at)["Pieces of all lines, every k"] == ("288", "exact")
    assert int(counts(at)["Walls of the fan of k = 3, lit"][0]) > 8
    assert len(pictures(at)[0]["data"]) == len(pictures(bare)[0]["data"]) + 2
    assert "Pieces of all lines, every k" not in counts(bare)


def test_k_equal_to_n_is_empty_and_wide_routers_have_no_level():
    assert counts(open_page("fan", n="5", k="2", lv="5"))["Walls of the fan of k = 5, lit"] == ("0", "exact")
    assert not open_page("fan", n="64", k="4", hg="0", lv="4").exception
