"""The scene: one table drives reading, writing and clamping."""

from __future__ import annotations

import math
from collections.abc import Iterable
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tropviz import manifold
from tropviz.core import presets
from tropviz.core.collapse import clouds
from tropviz.core.training import data
from tropviz.ui.scene import BY_NAME, ROWS, VERSION, Row, Scene, parse_link, table
from tropviz.ui.shell import PAGES


def values_of(row, values):
    """Any allowed value of a row, given the rows above it."""
    if row.choices is not None:
        return st.sampled_from([choice for choice in row.choices if choice != "file"])
    if isinstance(row.default, bool):
        return st.booleans()
    if isinstance(row.default, str):
        return st.just(row.default)
    low, high = row.range(values)
    if isinstance(row.default, int):
        return st.integers(int(low), int(high))
    return st.floats(low, high).map(lambda v: min(max(round(v, row.digits), low), high))


@st.composite
def scenes(draw):
    values = {}
    for row in ROWS:
        values[row.name] = draw(values_of(row, values))
    return Scene(values)


def test_names_and_keys_are_unique() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS) == len({row.key for row in ROWS})
    assert "v" not in {row.key for row in ROWS}
    assert not {row.key for row in ROWS} & {"embed", "embed_options"}, "Streamlit keeps these two for itself"


def test_pages_of_rows_are_pages() -> None:
    """A row whose page is misspelt would be in no link."""
    known = {url for *_, url, _ in PAGES}
    assert {row.name: set(row.pages) - known for row in ROWS if set(row.pages) - known} == {}


@pytest.mark.parametrize(
    ("name", "table", "beside"),
    [
        ("router", presets.PRESETS, {"designed", "digits", "trained", "file"}),
        ("cloud", clouds.SHAPES, set()),
        ("learn", data.SHAPES, {"digits"}),
        ("sheet", manifold.SHEETS, set()),
    ],
)
def test_choices_are_what_the_core_has(name: str, table: Iterable[str], beside: set[str]) -> None:
    assert set(BY_NAME[name].choices or ()) == {*table, *beside}, f"the core's table, and {name} in scene/rows/"


@given(scenes())
def test_a_link_gives_its_scene_back(scene: Scene) -> None:
    pages = {page for row in ROWS for page in row.pages} | {"fan"}
    for page in pages:
        again, notes = parse_link(dict(parse_qsl(scene.link(page), keep_blank_values=True)))
        assert notes == ()
        for row in ROWS:
            expected = scene.values[row.name] if not row.pages or page in row.pages else row.default
            if isinstance(row.default, float):
                assert again.values[row.name] == pytest.approx(expected, rel=1e-5, abs=10**-row.digits), row.name
            else:
                assert again.values[row.name] == expected, row.name


@given(scenes())
def test_writing_twice_gives_the_same_link(scene: Scene) -> None:
    """A copied link, opened and copied again, does not drift."""
    once, _ = parse_link(dict(parse_qsl(scene.link(), keep_blank_values=True)))
    twice, _ = parse_link(dict(parse_qsl(once.link(), keep_blank_values=True)))
    assert once.link() == twice.link()


@given(st.dictionaries(st.sampled_from([*(row.key for row in ROWS), "v", "foo"]), st.text(max_size=8), max_size=8))
def test_no_link_breaks_the_app(query: dict[str, str]) -> None:
    scene, notes = parse_link(query)
    assert all(note.endswith(".") and len(note) < 400 for note in notes)
    values = {}
    for row in ROWS:
        value = scene.values[row.name]
        assert type(value) is type(row.default)
        if row.choices is not None:
            assert value in row.choices
        elif row.limits is not None:
            low, high = row.range(values)
            assert low <= value <= high
        values[row.name] = value


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e400", "abc", "", "2.5"])
def test_what_is_no_whole_number_is_refused_by_name(text: str) -> None:
    scene, notes = parse_link({"n": text})
    assert scene.n == BY_NAME["n"].default
    assert len(notes) == 1 and "n=" in notes[0]


@pytest.mark.parametrize("text", ["1_2", "１２", "١٢", "1_0.5"])
@pytest.mark.parametrize("key", ["n", "off"])
def test_only_ascii_digits_are_numbers(key: str, text: str) -> None:
    scene, notes = parse_link({key: text})
    assert scene == Scene.default()
    assert len(notes) == 1 and f"{key}={text!r} is not a number" in notes[0]


def test_no_zero_has_a_sign() -> None:
    scene, notes = parse_link({"off": "-0", "dir": "-0.001", "ca": "-0.0"})
    assert not notes and [math.copysign(1, v) for v in (scene.offset, scene.direction, scene.cut_at)] == [1, 1, 1]
    assert "=-0&" not in scene.link()
    for changed in (Scene.default().replace(direction=-0.0)[0], Scene({**Scene.default().values, "direction": -0.0})):
        assert "&dir=0&" in changed.link()


@pytest.mark.parametrize("text", ["x" * 5000, "a\nb", "9" * 5000])
@pytest.mark.parametrize("key", ["n", "off", "r", "cl", "slide", "cam", "cell", "pt", "v", "foo"])
def test_what_a_note_repeats_is_short_and_on_one_line(key: str, text: str) -> None:
    for query in ({key: text}, {text: key}):
        _, notes = parse_link(query)
        assert len(notes) == 1 and len(notes[0]) < 260 and "\n" not in notes[0], notes


def test_out_of_range_is_clamped_and_said() -> None:
    scene, notes = parse_link({"v": "1", "n": "4", "k": "9"})
    assert (scene.n, scene.k) == (4, 3)
    assert notes == ("Active experts k is 9, outside 1 to 3: 3 is shown.",)


def test_k_stays_valid_when_n_shrinks() -> None:
    wide, _ = Scene.default().replace(n=32, k=20)
    narrow, notes = wide.replace(n=5)
    assert narrow.k == 4
    assert any("Active experts k" in note for note in notes)


def test_another_version_is_said_and_not_read() -> None:
    scene, notes = parse_link({"v": str(VERSION + 1), "n": "12"})
    assert scene == Scene.default()
    assert len(notes) == 1 and f"version {VERSION + 1}" in notes[0]


def test_an_uploaded_router_is_not_in_a_link() -> None:
    scene, notes = parse_link({"r": "file"})
    assert scene.router != "file"
    assert len(notes) == 1 and "upload" in notes[0]
    assert "own.json" in parse_link({"r": "file", "rf": "own.json"})[1][0]


def test_the_trained_router_fixes_its_sizes() -> None:
    scene, notes = parse_link({"r": "digits", "n": "20", "h": "9"})
    assert (scene.n, scene.h) == (8, 6)
    assert len(notes) == 2


def test_the_table_for_the_readme_has_every_row() -> None:
    lines = table().splitlines()
    assert len(lines) == 2 + len(ROWS)
    assert all(line.startswith(f"| `{row.key}` |") for line, row in zip(lines[2:], ROWS, strict=True))


def test_unknown_property_is_an_error() -> None:
    with pytest.raises(ValueError, match="no property"):
        Scene.default().replace(colour="red")


def test_offset_is_finite_everywhere() -> None:
    for row in ROWS:
        assert row.limits is None or all(math.isfinite(v) for v in row.range(Scene.default().values))


def test_a_row_of_numbers_without_limits_is_refused_where_it_is_declared() -> None:
    with pytest.raises(ValueError, match="'x' is of a number and needs limits"):
        Row("x", "x", 1, "X")
    assert Row("x", "x", False, "X").limits is None


@pytest.mark.parametrize("key", ["cam", "zoom"])
@pytest.mark.parametrize("text", ["1_2", "a_b_c_d", "0_0_1", "nan_1_2_3", "1_0_0_1", "1e9_0_0_0", "1_1_1_1_1_1_1_1_1"])
def test_a_view_that_is_none_is_said(key: str, text: str) -> None:
    scene, notes = parse_link({key: text})
    assert len(notes) == 1 and f"{key}={text!r}" in notes[0] and "the usual one" in notes[0]
    assert scene.camera == scene.zoom == ""


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("cell", "0-99", "cell=0-99 names the expert 99 and there are 8, from 0 to 7: no cell is selected."),
        ("cell", "7", "cell=7 names 1 expert and 2 are active: no cell is selected."),
        ("cell", "0-1-2", "cell=0-1-2 names 3 experts and 2 are active: no cell is selected."),
        ("cell", "1-1", "cell='1-1' names an expert twice"),
        ("cell", "1--2", "cell='1--2' must be expert numbers with - between them"),
        ("cell", "0-1" * 30_000, "must be expert numbers with - between them"),
        ("cell", "-".join(map(str, range(20_000))), "must be expert numbers with - between them"),
        ("pt", "nan_1", "pt='nan_1' has a number outside -100 to 100"),
        ("pt", "1", "pt='1' has 1 number and needs 2 or 3"),
        ("pt", "١_1", "must be 2 or 3 numbers with _ between them"),
        ("cam", "1_0_１", "must be 3 or 6 or 9 numbers with _ between them"),
        ("zoom", "-1_1_0_2e0_", "must be 4 numbers with _ between them"),
    ],
)
def test_a_cell_or_a_place_that_is_none_is_said(key: str, text: str, said: str) -> None:
    scene, notes = parse_link({key: text})
    assert scene == Scene.default() and len(notes) == 1 and said in notes[0] and len(notes[0]) < 200


def test_a_cell_and_a_point_in_a_link_are_kept() -> None:
    scene, notes = parse_link({"cell": "0-3", "pt": "0.5_-1.2"})
    assert not notes and (scene.cell, scene.spot) == ("0-3", "0.5_-1.2")


def test_marks_of_those_who_count_clicks_are_not_remarked_on() -> None:
    scene, notes = parse_link({"utm_source": "mail", "utm_x": "1", "fbclid": "IwAR", "gclid": "x", "n": "12"})
    assert not notes and scene.n == 12


def test_many_unknown_entries_are_a_few_notes() -> None:
    _, notes = parse_link({f"x{i}": "1" for i in range(5000)})
    assert len(notes) == 6 and notes[-1] == "So were 4,995 more."


def test_a_view_in_a_link_is_kept() -> None:
    scene, notes = parse_link({"cam": "1_-0.5_2_0_0.1_1", "zoom": "-1_1_0_2"})
    assert not notes and (scene.camera, scene.zoom) == ("1_-0.5_2_0_0.1_1", "-1_1_0_2")
