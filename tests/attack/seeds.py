"""Files to begin with: honest ones of every format, and ones that lie in a way no chance would find."""

from __future__ import annotations

import io
import pickle
import zipfile

import numpy as np
import torch

from tests.io.files import as_json, npy, npy_header, npz, pt, safetensors, zipped

#: Set by any code of a file that runs.
RAN: list[str] = []


def mark(*_: object) -> str:
    """What the files below try to call."""
    RAN.append("code of a file has run")
    return "ran"


class Runs:
    """A pickle of this calls `mark`."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return mark, ("x",)


W, b = np.array([[1.0, -0.5], [0.25, 2.0], [-1.0, 0.0]]), np.array([0.5, -0.25, 0.0])
U, c = np.arange(12.0).reshape(3, 2, 2), np.arange(6.0).reshape(3, 2)
TENSORS = {"W": torch.tensor(W), "b": torch.tensor(b), "U": torch.tensor(U), "c": torch.tensor(c)}


def _archive(**symlink: str) -> bytes:
    """An archive with a symbolic link, a folder that climbs and an absolute name among its members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("W.npy")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, symlink["to"])
        archive.writestr("../../b.npy", npy(b))
        archive.writestr("/tmp/k.npy", npy(np.array(2)))
    return out.getvalue()


def honest() -> dict[str, bytes]:
    """Files that are read, by name."""
    named = {"W": W, "b": b, "k": np.array(2), "U": U, "c": c}
    table = "\n".join(",".join(map(repr, row)) for row in W.tolist())
    return {
        "a.json": as_json(W=W.tolist(), b=b.tolist(), k=2, U=U.tolist(), c=c.tolist()),
        "list.json": as_json(X=W.tolist()),
        "a.npz": npz(**named),
        "half.npz": npz(W=W.astype("f2"), b=b.astype(">f4"), k=np.uint8(1)),
        "a.npy": npy(W),
        "fortran.npy": npy(np.asfortranarray(W.astype("f4"))),
        "a.csv": f"x,y\n{table}\n".encode(),
        "odd.csv": 'sep=;\nx;b\n\u22121;2D0\n"3";4.5-101\n1;\u00a02\n'.encode(),
        "a.pt": pt({**TENSORS, "k": 2, "note": "text"}),
        "module.pt": pt(torch.nn.Linear(2, 3).state_dict()),
        "half.pt": pt({"W": TENSORS["W"].bfloat16().T, "b": TENSORS["b"].to(torch.float8_e5m2)}),
        "a.safetensors": safetensors(
            {
                "W": {"dtype": "F32", "shape": [3, 2], "data_offsets": [0, 24]},
                "b": {"dtype": "F16", "shape": [3], "data_offsets": [24, 30]},
            },
            W.astype("<f4").tobytes() + b.astype("<f2").tobytes(),
        ),
    }


def lying() -> dict[str, bytes]:
    """Files that are refused, by name: code, false sizes, markup, too deep, too wide."""
    code = pickle.dumps({"W": Runs()}, 2)
    markup = "<img src=x onerror=alert(1)>**[a](b)**$x$\n:red[x]"
    return {
        "code.pt": pt({"W": Runs()}),
        "old.pt": code,
        "other.pt": zipped({"archive/data.pkl": code, "archive/version": b"3"}, packed=False),
        "objects.npy": npy(np.array([Runs()], dtype=object), allow_pickle=True),
        "objects.npz": npz(W=np.array([Runs()], dtype=object)),
        "code.pkl": code,
        "links.npz": _archive(to="/etc/passwd"),
        "sizes.npy": npy_header((10**9, 10**9)) + bytes(64),
        "negative.npy": npy_header((-3, -2)) + bytes(48),
        "axes.npy": npy_header((1,) * 40) + bytes(8),
        "structured.npy": npy(np.zeros(3, dtype=[("x", "f8"), ("y", "f8")])),
        "overflow.npy": npy(np.array([[1, np.inf], [0, 1]], dtype="f2")),
        "text.npy": npy(np.array([["a", "b"]])),
        "deep.json": b"[" * 3000 + b"]" * 3000,
        "wide.json": b"{" + b",".join(b'"%d":[%d]' % (i, i) for i in range(300)) + b"}",
        "markup.json": as_json(**{markup: [["x"]], "W": [[1]], markup * 50: 1}),
        "markup.npz": npz(**{"a\nb" + markup.replace("/", ""): W, "c": W}),
        "shared.pt": pt({"W": [[[1.0] * 50] * 50] * 50}),
        "steps.pt": pt({"W": torch.zeros(1).expand(3, 10**6)}),
        "sparse.pt": pt({"W": torch.eye(3).to_sparse()}),
        "overlap.safetensors": safetensors(
            {n: {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]} for n in "Wb"}, bytes(8)
        ),
        "beyond.safetensors": safetensors(
            {"W": {"dtype": "F32", "shape": [2**62, 4], "data_offsets": [0, 8]}}, bytes(8)
        ),
    }
