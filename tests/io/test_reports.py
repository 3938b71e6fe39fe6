"""Files as people really have them: each is read rightly, or refused with a remedy that helps when it is followed."""

import io
import json
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.recfunctions import structured_to_unstructured

from tests.io.files import npy, pt
from tropviz import MoELayer, RoutingFan
from tropviz.io import read_any, read_layer, read_points, read_router
from tropviz.io.number_types import TYPES
from tropviz.io.written import value_of

REPORTS = Path(__file__).parents[1] / "data" / "reports"
FLOATS = st.floats(allow_nan=False, allow_infinity=False, width=64)


def refusal(data, name="r.csv", read=read_router):
    with pytest.raises(ValueError) as problem:
        read(data, name)
    return str(problem.value)


# --- the inputs that were reported ------------------------------------------------------------------------------------


def test_points_far_from_the_origin_are_five_active_sets():
    router = read_router(REPORTS / "A_latlong_router.json").router()
    X = read_points(REPORTS / "A_latlong_points.csv")
    lines = (REPORTS / "A_latlong_points.csv").read_text().splitlines()[1:]
    assert [[Fraction(v) for v in row] for row in X] == [[Fraction(float(v)) for v in ln.split(",")] for ln in lines]
    sets = router.active_sets(X)
    assert len(np.unique(sets, axis=0)) == 5 and np.unique(sets, return_counts=True)[1].max() / len(X) == 0.2


def test_an_expert_switched_off_by_the_lowest_float():
    router = read_router(REPORTS / "E_masked_expert.json").router()
    assert router.b[3] == -1.7976931348623157e308
    assert int(RoutingFan(router).count) == 5


def test_columns_r_g_b_are_three_numbers_a_point_and_a_bias_of_experts():
    assert read_points(REPORTS / "F_points_r_g_b.csv").shape == (3, 3)
    found = read_router(REPORTS / "F_points_r_g_b.csv")
    assert found.W.shape == (3, 2) and found.b.tolist() == [9, 9, 9]
    assert "move it to the end" in refusal(b"b,x\n1,2\n3,4\n")


@pytest.mark.parametrize("read", [lambda f: read_router(f).W, read_points])
def test_unusual_numbers_in_the_first_row(read):
    assert read(REPORTS / "G_csv_unicode_minus.csv").tolist() == [[-1, -2], [1, 0], [0, 1]]
    assert read(REPORTS / "G_csv_fortran_exponent.csv").tolist() == [[3.14e-114, 5.6e-304], [3, 4], [1, 0]]
    assert read(REPORTS / "H_sep_line.csv").tolist() == [[1, 2], [3, 4]]


def test_thousands_are_asked_about_and_either_answer_is_read():
    text = (REPORTS / "H_thousands.csv").read_text()
    said = refusal(text.encode())
    assert "'1,000': write 1000 if the comma parts thousands, or 1.000 if it is a decimal comma" in said
    assert read_router(text.replace('"1,000","2,000"', "1000,2000").encode(), "r.csv").W[0].tolist() == [1000, 2000]
    assert read_router(text.replace('"1,000","2,000"', "1.000,2.000").encode(), "r.csv").W[0].tolist() == [1, 2]


def test_column_numbers_are_asked_about_and_either_answer_is_read():
    text = (REPORTS / "I_pandas_noindex.csv").read_text()
    assert "line 1 (0, 1) may be a row or may number the columns" in refusal(text.encode())
    assert len(read_router(("#" + text).encode(), "r.csv").W) == 3
    assert len(read_router(text.replace("0,1", "0.0,1", 1).encode(), "r.csv").W) == 4
    assert "save the table without row and column numbers" in refusal(b",0,1\n0,0.5,1\n1,2,3\n")


@pytest.mark.parametrize("name", ["Bias", "BIAS", "bias", "B", "biases"])
def test_no_key_beside_the_router_is_passed_over_silently(name):
    text = (REPORTS / "J_Bias_ignored.json").read_text()
    assert int(RoutingFan(read_router(REPORTS / "J_Bias_meant.json").router()).count) == 3
    said = refusal(text.replace("Bias", name).encode(), "r.json")
    assert said == f"r.json: the key '{name}' is not read: name it 'b'."
    assert read_router(text.replace("Bias", "b").encode(), "r.json").b.tolist() == [0, 0, 2]
    assert read_router(text.replace("Bias", "offsets").encode(), "r.json").unread == ("offsets",)
    assert read_any(b'{"U": [[[1]],[[2]]], "c": [[0],[1]], "W": [[1],[2]], "V": 1}', "r.json").unread == ("V",)
    assert read_layer(b'{"U": [[1]], "c": [0], "note": "mine"}', "r.json").unread == ("note",)


def test_a_header_of_python_2_is_read_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        W = read_router(REPORTS / "L_python2.npy").W
    assert W.tolist() == [[1, -0.5], [0.25, 2], [-1, 0]]


def test_any_range_is_read_to_the_last_bit():
    assert read_router(REPORTS / "M_range_cells.json").W.tolist() == [[1e-200], [0], [-1e200]]
    layer = read_layer(REPORTS / "M_range_regions.json").layer()
    assert isinstance(layer, MoELayer) and layer.U.ravel().tolist() == [1e200, 1e-200, 1, 0]


# --- further members of each kind -------------------------------------------------------------------------------------


@given(st.lists(st.tuples(FLOATS, FLOATS), min_size=2, max_size=5), st.sampled_from([",", ";", "\t", " "]))
def test_every_finite_number_is_read_to_the_last_bit_from_text(rows, separator):
    text = "\n".join(separator.join(map(repr, row)) for row in [(1.5, 2.5), *rows])
    assert read_points(text.encode(), "r.csv").tobytes() == np.array([(1.5, 2.5), *rows]).tobytes()
    assert read_points(json.dumps(rows).encode(), "r.json").tobytes() == np.array(rows).tobytes()


@given(FLOATS, st.sampled_from(["D", "d", "E", "e", ""]), st.booleans(), st.sampled_from(["", " ", "\u00a0", "\u202f"]))
def test_numbers_as_other_programs_write_them(x, letter, typeset, space):
    mantissa, exponent = f"{x:.17e}".split("e")
    if letter == "":
        exponent = f"{int(exponent):+04d}"
    text = space + mantissa + letter + exponent + space
    if typeset:
        text = text.replace("-", "\u2212")
    rows = f"{text};{text}\n1;2\n"
    assert value_of(text) == x and read_router(rows.encode(), "r.csv").W[0].tolist() == [x, x]


#: An entry that a first row may begin with, a phrase of the refusal, and the entry its remedy leads to.
REMEDIES = [
    ("1,5", "write a decimal point, not a comma", "1.5"),
    ("1.234.567", "write 1234567, without separators", "1234567"),
    ("1'234.5", "write 1234.5, without separators", "1234.5"),
    ("1\u00a0000", "write 1000, without separators", "1000"),
    ("12 345 678", "write 12345678, without separators", "12345678"),
    ("٣", "write it with the digits 0 to 9", "3"),
    ("１", "write it with the digits 0 to 9", "1"),
    *((word, "write the number that is missing", "0.5") for word in ("NA", "n/a", "null", "None", "?", "-")),
    *((word, "write the number that is missing", "0.5") for word in ("#N/A", "#DIV/0!")),
    ("1_000", "write a number there", "1000"),
    ("5%", "write a number there", "0.05"),
    ("2024-01-31", "write a number there", "20240131"),
    ("0x1F", "write a number there", "31"),
    ("$3", "write a number there", "3"),
]


@pytest.mark.parametrize(("entry", "said", "mended"), REMEDIES)
@pytest.mark.parametrize("place", [0, 1])
def test_remedies_for_numbers_help_when_they_are_followed(entry, said, mended, place):
    rows = [["3", "4"], ["1", "0.5"], ["2", "2"]]
    rows[place] = [entry, entry]
    text = "\n".join(";".join(row) for row in rows)
    assert said in refusal(text.encode())
    assert read_router(text.replace(entry, mended).encode(), "r.csv").W.shape == (3, 2)


def test_remedies_for_tables_help_when_they_are_followed():
    for text in ("1,2,\n3,4,\n", "x,y\n1,2,\n3,4,\n"):
        assert "delete the last separator of every line" in refusal(text.encode())
        assert read_router(text.replace(",\n", "\n").encode(), "r.csv").W.shape == (2, 2)
    headerless = "1,5;2,5\n3,5;4\n"
    assert "decimal point" in refusal(headerless.encode())
    assert read_router(headerless.replace(",", ".").encode(), "r.csv").W.tolist() == [[1.5, 2.5], [3.5, 4]]
    spaced = "1,5 2,5\n3,5 4,5\n"
    assert "decimal points, and one separator" in refusal(spaced.encode())
    assert read_router(spaced.replace(",", ".").encode(), "r.csv").W.tolist() == [[1.5, 2.5], [3.5, 4.5]]


def test_the_remedy_for_structured_arrays_helps_when_it_is_followed():
    a = np.array([(1.0, 2.0), (3.0, 4.0), (5.0, 7.0)], dtype=[("x", "f8"), ("y", "f4")])
    assert "numpy.lib.recfunctions.structured_to_unstructured" in refusal(npy(a), "r.npy")
    assert read_router(npy(structured_to_unstructured(a)), "r.npy").W.tolist() == [[1, 2], [3, 4], [5, 7]]


@pytest.mark.parametrize("read", [read_router, read_any, read_layer])
@pytest.mark.parametrize("beside", [{}, {"epoch": 3}])
def test_the_remedy_for_a_nested_state_dict_helps_when_it_is_followed(read, beside):
    inner = {"W": torch.eye(3, 2), "U": torch.ones(3, 1, 2), "c": torch.zeros(3, 1)}
    content = {"state_dict": inner, **beside}
    assert "save what is inside 'state_dict' alone, it holds W, U, c" in refusal(pt(content), "r.pt", read)
    assert read(pt(content["state_dict"]), "r.pt").W.shape == (3, 2)
    text = {"model": {"W": [[1], [2]], "U": [[[1]], [[1]]], "c": [[1], [1]]}, **beside}
    assert "save what is inside 'model' alone" in refusal(json.dumps(text).encode(), "r.json", read)
    assert read(json.dumps(text["model"]).encode(), "r.json").W.shape == (2, 1)


def test_the_remedy_for_a_torch_file_of_old_helps_when_it_is_followed(tmp_path):
    out = io.BytesIO()
    torch.save({"W": torch.eye(2)}, out, _use_new_zipfile_serialization=False)
    assert "load it and save its state_dict again" in refusal(out.getvalue(), "r.pt")
    assert read_router(pt(torch.load(io.BytesIO(out.getvalue()))), "r.pt").W.tolist() == [[1, 0], [0, 1]]


# --- tensors without torch --------------------------------------------------------------------------------------------

DTYPES = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "F8_E5M2": torch.float8_e5m2,
    "F8_E4M3": torch.float8_e4m3fn,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U64": torch.uint64,
    "U32": torch.uint32,
    "U16": torch.uint16,
    "U8": torch.uint8,
}


@pytest.mark.parametrize("name", TYPES)
def test_numbers_of_every_type_are_those_that_torch_reads(name):
    width = TYPES[name].width
    first = np.arange(256, dtype=np.uint8)
    raw = first.tobytes() if width == 1 else np.random.default_rng(3).bytes(256 * width)
    tensor = torch.frombuffer(bytearray(raw), dtype=DTYPES[name]).double().numpy()
    ours = TYPES[name].convert(raw).astype(np.float64)
    assert np.array_equal(ours, tensor, equal_nan=True)
    finite = torch.frombuffer(bytearray(raw), dtype=DTYPES[name])[np.isfinite(tensor)][:40].reshape(2, -1)
    assert np.array_equal(read_points(pt(finite), "x.pt"), finite.double().numpy())


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.data())
def test_views_of_a_storage_are_what_torch_makes_of_them(shape, data):
    base = torch.arange(float(np.prod(shape)) + 5, dtype=torch.float32)[5:].reshape(shape)
    view = base.permute(data.draw(st.permutations(range(len(shape)))))
    if data.draw(st.booleans()):
        view = view[..., :: data.draw(st.integers(1, 2))]
    if data.draw(st.booleans()):
        view = view[:1].expand(data.draw(st.integers(1, 3)), *view.shape[1:])
    found = read_any_array(pt({"A": view, "other": base}))
    assert np.array_equal(found, view.double().numpy())


def read_any_array(data):
    from tropviz.io.arrays import entries
    from tropviz.io.source import Source

    found = entries(Source("x.pt", data))["A"]
    assert found.shape == found().shape and not found().flags.writeable
    return found()


def test_a_module_s_parameters_are_read_and_torch_is_not_imported_for_it(tmp_path):
    import subprocess
    import sys

    (tmp_path / "r.pt").write_bytes(pt({"W": torch.nn.Linear(3, 4).weight, "k": 2}))
    code = f"import sys; from tropviz.io import read_router as r; print(r({str(tmp_path / 'r.pt')!r}).W.shape)"
    code += "; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["(4, 3)", "False"]
