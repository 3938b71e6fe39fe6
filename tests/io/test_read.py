"""Readers: the same router from every format, and one sentence for everything that is wrong."""

import io
import json
import pickle
import struct
import warnings
import zipfile

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import save as save_tensors

from tropviz.io import MAX_FILE_BYTES, read_layer, read_points, read_router
from tropviz.io.arrays import EXTENSIONS

W = np.array([[1.0, -0.5], [0.25, 2.0], [-1.0, 0.0]])
b = np.array([0.5, -0.25, 0.0])
U = np.arange(12.0).reshape(3, 2, 2)
c = np.arange(6.0).reshape(3, 2)


def npz(**arrays):
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def npy(array, **options):
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


def pt(content):
    out = io.BytesIO()
    torch.save(content, out)
    return out.getvalue()


def as_json(**content):
    return json.dumps(content).encode()


TENSORS = {"W": torch.tensor(W), "b": torch.tensor(b), "k": torch.tensor(2)}
SAME = {
    "r.json": as_json(W=W.tolist(), b=b.tolist(), k=2),
    "bom.json": b"\xef\xbb\xbf" + as_json(W=W.tolist(), b=b.tolist(), k=2.0),
    "r.npz": npz(W=W.astype(np.float32), b=b.astype(np.float16), k=2),
    "fortran.npz": npz(W=np.asfortranarray(W), b=b, k=np.array([2], dtype=np.uint8)),
    "r.safetensors": save_tensors({n: t.to(torch.bfloat16) if n != "k" else t for n, t in TENSORS.items()}),
    "r.pt": pt(TENSORS),
    "R.PT": pt({"W": TENSORS["W"], "b": TENSORS["b"], "k": 2, "note": "text is passed over"}),
}


@pytest.mark.parametrize("name", SAME)
def test_every_format_gives_the_same_router(name, tmp_path):
    (tmp_path / name).write_bytes(SAME[name])
    for found in (read_router(SAME[name], name), read_router(tmp_path / name), read_router(str(tmp_path / name))):
        assert np.array_equal(found.W, W) and np.array_equal(found.b, b) and found.k == 2 and found.name == name
        assert found.W.dtype == np.float64 and not found.W.flags.writeable
        assert found.router().k == 2 and found.router(1).k == 1


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("r.csv", b"1,-0.5\n0.25,2\n-1,0\n"),
        ("semicolon.csv", b"w1;w2\r\n1;-0.5\r\n0.25;2\r\n-1;0\r\n"),
        ("saved.csv", b"# numpy.savetxt\n1.0 -0.5\n 0.25  2\n\n-1 0 \n"),
        ("tab.csv", b"1\t-0.5\r.25\t2e0\r-1\t0"),
        ("r.npy", npy(W)),
        ("big-endian.npy", npy(W.astype(">f4"))),
        ("one.npz", npz(weights_of_it=W)),
        ("arr.npz", npz(arr_0=W)),
        ("list.json", json.dumps(W.tolist()).encode()),
        ("tensor.pt", pt(torch.tensor(W))),
        ("null.json", as_json(W=W.tolist(), b=None)),
    ],
)
def test_a_single_matrix_needs_no_name(name, data):
    found = read_router(data, name)
    assert np.array_equal(found.W, W) and found.b is None and found.k is None
    assert np.array_equal(read_points(data, name) if name != "null.json" else W, W)


def test_a_csv_column_named_b_is_the_bias():
    found = read_router(b"x,y,b\n1,-0.5,0.5\n0.25,2,-0.25\n-1,0,0\n", "r.csv")
    assert np.array_equal(found.W, W) and np.array_equal(found.b, b)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("m.json", as_json(W=W.tolist(), b=b.tolist(), k=2, U=U.tolist(), c=c.tolist())),
        ("m.npz", npz(W=W, b=b, k=2, U=U, c=c)),
        ("m.safetensors", save_tensors({**TENSORS, "U": torch.tensor(U), "c": torch.tensor(c)})),
    ],
)
def test_layers(name, data):
    found = read_layer(data, name)
    assert not found.dense and found.k == 2
    assert np.array_equal(found.U, U) and np.array_equal(found.c, c) and np.array_equal(found.b, b)
    assert np.array_equal(read_router(data, name).W, W)


def test_dense_networks():
    found = read_layer(as_json(U=U[0].tolist(), c=c[0].tolist()), "d.json")
    assert found.dense and found.U.shape == (2, 2) and found.c.shape == (2,)


def header_lie(shape):
    """A .npy of 8 numbers whose header claims `shape`."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + bytes(64)


def bomb():
    """A small npz that unpacks to a thousand times its size."""
    return npz(W=np.zeros((1000, 1000)))


def twins():
    out = io.BytesIO()
    with pytest.warns(UserWarning), zipfile.ZipFile(out, "w") as archive:
        archive.writestr("W.npy", npy(W))
        archive.writestr("W.npy", npy(W + 1))
    return out.getvalue()


def nested():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pt({"W": torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])})


def quantised():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pt({"W": torch.quantize_per_tensor(torch.eye(2), 0.1, 0, torch.quint8)})


nan = W.copy()
nan[2, 1] = np.nan
ROUTERS = [
    ("r.json", b"", "r.json: the file is empty"),
    ("r.json", b" \n", "line 2, column 1: Expecting value: correct the JSON there"),
    ("r.json", b'{"W": [[1, 2],\n [3, 4,]]}', "line 2, column 8"),
    ("r.json", b'{"W": [[1,2],[3,4]], "W": [[1,2],[3,5]]}', "the key 'W' occurs twice"),
    ("r.json", b'{"W": [[1, 0], [0, NaN]]}', r"W\[1, 1\] is nan: replace it by a finite number"),
    ("r.json", b'{"W": [[1, 0], [0, 1e999]]}', r"W\[1, 1\] is inf"),
    ("r.json", b'{"W": [[1, 0], [0, 1' + b"0" * 400 + b"]]}", r"W\[1, 1\] is beyond"),
    ("r.json", b'{"W": [[1, 0], [0, 1' + b"0" * 5000 + b"]]}", "too many digits"),
    ("r.json", b'{"W": [[1, 0], [0]]}', r"W\[1\] has 1 entries and W\[0\] has 2: give rows of equal length"),
    ("r.json", b'{"W": [[1, 0], 3]}', r"W\[1\] is not a list"),
    ("r.json", b'{"W": [[1, 0], [0, "1"]]}', r"W\[1, 1\] is a text"),
    ("r.json", b'{"W": [[1, 0], [0, true]]}', r"W\[1, 1\] is true or false"),
    ("r.json", b'{"W": [[1, 0], [0, null]]}', r"W\[1, 1\] is null"),
    ("r.json", b'{"W": [[1, 0], [0, [1]]]}', r"W\[1, 1\] is a list"),
    ("r.json", b'{"W": [[1, 0]]}', "give at least 2 experts"),
    ("r.json", b'{"W": [1, 0]}', r"W has the shape \(2,\): it must be \(N, d\)"),
    ("r.json", b'{"W": []}', r"W is empty, its shape is \(0,\)"),
    ("r.json", b'{"W": [[], []]}', r"W is empty, its shape is \(2, 0\)"),
    ("r.json", b'{"W": [[[[1]]]]}', "W has more than 3 levels"),
    ("r.json", b"[" * 100_000, "nested too deeply"),
    ("r.json", b'{"V": [[1, 0], [0, 1]], "Z": [[1]]}', r"W is missing \(found V, Z\): name the router's matrix W"),
    ("dense.json", b'{"U":[[1,0],[0,1],[1,1]],"c":[0,1,5]}', r"W is missing \(found U, c\): .* to `regions`"),
    ("r.json", b'{"U":[[1,0],[0,1]]}', r"W is missing \(found U\): .* to `regions`"),
    ("r.json", b'{"V":[[1,0],[0,1]]}', r"W is missing \(found V\)"),
    ("r.json", b'{"V":[[1,0],[0,1]],"b":[0,1]}', r"W is missing \(found V, b\)"),
    ("r.json", b'{"A":[[1,0],[0,1]],"zz":[0,1]}', r"W is missing \(found A, zz\)"),
    ("r.npz", npz(arr_0=W, arr_1=b), r"W is missing \(found one without a name, arr_1\)"),
    ("r.json", b'{"a\\nb": [["x"]]}', r"a\\nb\[0, 0\] is a text"),
    ("r.json", b'{"a\\nb": 1, "c\\u2028d": 2}', r"found a\\nb, c\\u2028d"),
    ("r.json", b'{"a\\nb": 1, "a\\nb": 2}', r"the key 'a\\nb' occurs twice"),
    ("r.json", b'{"' + b"x" * 5000 + b'": [["x"]]}', r"x…\[0, 0\] is a text"),
    ("r.csv", "1,2\n3,\uff14\n".encode(), "line 2, column 2 is the text"),
    ("r.json", b'{"w": [[1, 0], [0, 1]]}', "the key 'w' is not read: name it 'W'"),
    ("r.json", b'{"W": [[1, 0], [0, 1]], "bias": [1, 2]}', "the key 'bias' is not read: name it 'b'"),
    ("r.json", b'{"W": [[1, 0], [0, 1]], "b": [1, 2, 3]}', r"b has the shape \(3,\): it must be \(2,\)"),
    ("r.json", b'{"W": [[1, 0], [0, 1]], "b": [1, "x"]}', r"b\[1\] is a text"),
    ("r.json", b'{"W": [[1, 0], [0, 1]], "k": 2}', "k is 2 and there are 2 experts: give k from 1 to 1"),
    ("r.json", b'{"W": [[1, 0], [0, 1]], "k": 0}', "give k from 1 to 1"),
    ("r.json", b'{"W": [[1, 0], [0, 1]], "k": 1.5}', "k is not a whole number"),
    ("r.json", b'{"W": [[1, 0], [0, 1]], "k": true}', "k is true or false"),
    ("r.json", b'{"W": [[1, 0], [0, 1]], "k": [1, 1]}', "k is not a whole number"),
    ("r.json", b'"W"', "neither an object nor a list"),
    ("r.json", b'{\n"W": "\xff"}', "line 2 is not UTF-8 text"),
    ("r.csv", b"1,2\n3,four\n", "r.csv: line 2, column 2 is the text 'four': write a number there"),
    ("r.csv", b"x,y\n1,2\n\n3,n/a\n", "line 4, column 2 is the text 'n/a'"),
    ("r.csv", b"1,2\n3\n", "line 2 has 1 entries, the lines before have 2"),
    ("r.csv", b"1,2\n3,\n", "line 2, column 2 is empty"),
    ("r.csv", b"1;2,5\n3;4\n", "line 1, column 1 is the text '1;2': write a number there|decimal point"),
    ("r.csv", b"1;2\n3;2,5\n", "line 2, column 2 is the text '2,5': write a decimal point"),
    ("r.csv", b"1,2\n3,nan\n", "line 2, column 2 is nan"),
    ("r.csv", b"1,2\n3,-inf\n", "line 2, column 2 is -inf"),
    ("r.csv", b"1,2\n3,1_0\n", "is the text '1_0'"),
    ("r.csv", b",x,y\n0,1,2\n1,3,4\n", "leaves column 1 without a name: delete the column if it holds row"),
    ("r.csv", b"hello\n", "the first line is the text 'hello' and no numbers follow"),
    ("r.csv", b"# only a comment\n", "there are no numbers"),
    ("r.csv", b"1,2\n", "give at least 2 experts"),
    ("r.npy", npy(nan), r"r.npy: W\[2, 1\] is nan|\[2, 1\] is nan"),
    ("r.npy", npy(W.astype(complex)), "complex numbers: save real numbers"),
    ("r.npy", npy(W > 0), "true or false"),
    ("r.npy", npy(W.astype("U4")), "text"),
    ("r.npy", npy(W.astype("V2")), "no plain numbers"),
    ("r.npy", npy(np.array([[1, None]], dtype=object), allow_pickle=True), "pickle"),
    ("r.npy", npy(np.zeros((2, 2, 2, 2))), "4 axes"),
    ("r.npy", npy(W)[:-1], "cut off or damaged"),
    ("r.npy", header_lie((-2, -4)), "cut off or damaged"),
    ("r.npy", header_lie((10**9, 10**9)), "the most here is 1,048,576"),
    ("r.npy", header_lie(("a",)), "not in numpy's format"),
    ("r.npy", pickle.dumps(W), "pickle"),
    ("r.npz", pickle.dumps(W), "pickle"),
    ("r.pkl", pickle.dumps(W), "pickles can run code"),
    ("r.npz", b"PK not really", "not a readable npz archive"),
    ("r.npz", npz(W=np.array([[1, None]], dtype=object)), "W holds Python objects"),
    ("r.npz", npz(), "W is missing"),
    ("r.npz", npz(U=U), "W is missing"),
    ("r.safetensors", b"12345678", "not a readable safetensors file"),
    ("r.safetensors", save_tensors({"W": torch.zeros(2, 2, dtype=torch.bool)}), "W holds BOOL entries"),
    ("r.pt", b"12345678", "not a file of plain tensors"),
    ("r.pt", pt({"W": torch.zeros(2, 2, dtype=torch.complex64)}), "W holds complex64 entries"),
    ("r.pt", pt({"W": torch.eye(2).to_sparse()}), "W is a sparse tensor"),
    ("r.pt", pt({"W": torch.eye(2), "k": 10**400}), "k is beyond 1.8e308"),
    ("r.pt", pt({"W": torch.eye(2), "k": True}), "k is true or false"),
    ("r.pt", pt({"W": torch.eye(2), "k": "2"}), "k is a text"),
    ("r.pt", pt({"W": torch.eye(2, device="meta")}), "W is a tensor on the device meta"),
    ("r.pt", nested(), "W is a nested tensor"),
    ("r.pt", quantised(), "W is a quantised tensor"),
    ("r.txt", b"1,2\n3,4", "the extension is '.txt': use one of .json"),
    ("router", b"1,2\n3,4", "the extension is missing"),
]


@pytest.mark.parametrize(("name", "data", "said"), ROUTERS)
def test_routers_are_refused_in_one_sentence(name, data, said):
    with warnings.catch_warnings(), pytest.raises(ValueError, match=said) as refusal:
        if name == "r.pt" and data[:1] == b"P":  # on standard error a warning is one sentence too many
            warnings.simplefilter("error")
        read_router(data, name)
    sentence(str(refusal.value), name)


def sentence(text, name):
    assert text.startswith(f"{name}: ") and text.endswith(".") and "\n" not in text and len(text) < 300, text
    assert text.count(": ") >= 2, f"no remedy: {text}"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"c": [1]}, "U is missing"),
        ({"U": [[1, 2]]}, "c is missing"),
        ({"U": U.tolist(), "c": c.tolist()}, r"U has the shape \(3, 2, 2\): it must be \(H, d\), or add W"),
        ({"U": U[0].tolist(), "c": [1]}, r"c has the shape \(1,\): it must be one number per row of U"),
        ({"W": W.tolist(), "U": U[:2].tolist(), "c": c.tolist()}, r"it must be \(N, H, d\) = \(3, H, 2\)"),
        ({"W": W.tolist(), "U": U.tolist(), "c": c[:, :1].tolist()}, r"it must be \(N, H\) = \(3, 2\)"),
    ],
)
def test_layers_are_refused_in_one_sentence(content, said):
    with pytest.raises(ValueError, match=said) as refusal:
        read_layer(as_json(**content), "m.json")
    sentence(str(refusal.value), "m.json")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("x.csv", b"1,2,3\n4,5,6\n", r"has the shape \(2, 3\): it must be \(n, 2\)"),
        ("x.npy", npy(np.zeros(4)), r"has the shape \(4,\)"),
        ("x.npy", npy(np.zeros((0, 2))), "is empty"),
        ("x.npz", npz(a=W, z=W), "2 matrices are there and none is named X"),
    ],
)
def test_points_are_refused_in_one_sentence(name, data, said):
    with pytest.raises(ValueError, match=said) as refusal:
        read_points(data, name, d=2)
    sentence(str(refusal.value), name)


def test_points_by_name():
    assert np.array_equal(read_points(npz(hidden_states=W, labels=np.arange(3)), "x.npz"), W)
    assert np.array_equal(read_points(npz(other=W, labels=np.arange(3)), "x.npz", d=2), W)


def test_paths_that_cannot_be_read(tmp_path):
    for path, said in [
        (tmp_path, "this is a folder"),
        (tmp_path / "none.json", "no such file"),
        ("nul\0.json", "cannot be read|no such file|embedded"),
        ("x" * 5000 + ".json", "cannot be read|no such file"),
    ]:
        with pytest.raises(ValueError, match=said):
            read_router(path)


def test_too_large_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(ValueError, match="larger than 50 MB"):
        read_points(path)
    with pytest.raises(ValueError, match="larger than 50 MB"):
        read_points(bytes(MAX_FILE_BYTES + 1), "large.npy")


def test_archives_that_unpack_to_too_much_are_refused_unread(monkeypatch):
    monkeypatch.setattr("tropviz.io.source.FREE_NUMBERS", 100_000)
    monkeypatch.setattr("tropviz.io.numpy_arrays.converted", lambda *_: pytest.fail("the archive was unpacked"))
    with pytest.raises(ValueError, match=r"W is said to have 1,000,000 numbers.* 100,000: .*uncompressed"):
        read_router(bomb(), "bomb.npz")


def test_duplicate_names_in_an_archive():
    with pytest.raises(ValueError, match="'W' occurs twice"):
        read_router(twins(), "twins.npz")


class Evil:
    def __reduce__(self):
        return (pytest.fail, ("code from the file has run",))


@pytest.mark.parametrize("name", ["e.pt", "e.npz", "e.npy", "e.pkl"])
def test_no_code_of_a_file_ever_runs(name):
    payload = pickle.dumps(Evil())
    content = {
        "e.pt": pt({"W": Evil()}),
        "e.npz": npz(W=np.array([Evil()], dtype=object)),
        "e.npy": npy(np.array([Evil()], dtype=object), allow_pickle=True),
        "e.pkl": payload,
    }[name]
    with pytest.raises(ValueError, match=r"pickle|plain tensors"):
        read_router(content, name)


FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def only_value_errors(data, name):
    for reader in (read_router, read_layer, read_points):
        try:
            reader(data, name)
        except ValueError as refusal:
            sentence(str(refusal), name)


@FUZZ
@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
@given(st.binary(max_size=300), st.sampled_from(EXTENSIONS))
def test_random_bytes_only_ever_give_a_sentence(data, extension):
    only_value_errors(data, "f" + extension)


@FUZZ
@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
@given(st.sampled_from(sorted(SAME)), st.data())
def test_damaged_files_only_ever_give_a_sentence(name, data):
    content = bytearray(SAME[name])
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    only_value_errors(bytes(content[: data.draw(st.integers(1, len(content)))]), name)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("WbkUcXz"), inner, max_size=4),
    max_leaves=12,
)


@FUZZ
@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
@given(st.dictionaries(st.sampled_from("WbkUcXz"), VALUES, max_size=5) | VALUES)
def test_any_json_only_ever_gives_a_sentence(content):
    only_value_errors(json.dumps(content).encode(), "f.json")


@FUZZ
@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
@given(st.text(alphabet="0123456789.,;-+e \t\r\n\"'#xb_\0", max_size=80))
def test_any_table_only_ever_gives_a_sentence(text):
    only_value_errors(text.encode(), "f.csv")


def test_a_matrix_cut_out_of_a_model_has_no_k_by_default(tmp_path):
    from safetensors.numpy import save_file

    save_file({"model.layers.0.mlp.gate.weight": np.eye(4, dtype=np.float32)}, tmp_path / "gate.safetensors")
    found = read_router(tmp_path / "gate.safetensors")
    assert found.router(1).k == 1
    with pytest.raises(ValueError, match=r"gate\.safetensors: this matrix was cut out of a model.*: give k\."):
        found.router()


@pytest.mark.parametrize("key", ["e_score_correction_bias", "n_group", "num_experts_per_tok", "a.gate.expert_bias"])
def test_a_lone_file_with_keys_that_change_the_choice_is_refused(key):
    content = json.dumps({"W": [[1, 0], [0, 1], [1, 1]], "k": 1, key: [1, 1, 1]}).encode()
    with pytest.raises(ValueError, match=f"{key} is not read from a lone file.*with its config.json"):
        read_router(content, "gate.json")
