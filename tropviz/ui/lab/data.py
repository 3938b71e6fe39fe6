"""Files for the page Your router: uploads that stay in their session, and what lies on the server's shelf."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tropviz.core.capture import Capture, load
from tropviz.core.gates import Unknown
from tropviz.io import checkpoints
from tropviz.io.arrays import EXTENSIONS, entries
from tropviz.io.checkpoints.shards import Checkpoint
from tropviz.io.read import LayerFile, RouterFile, read_any, read_points
from tropviz.io.shelf import Shelf
from tropviz.io.source import FREE_NUMBERS, MAX_FILE_BYTES, Source, open_source
from tropviz.io.text import shown
from tropviz.io.texts import read_texts
from tropviz.language import say
from tropviz.ui.controls import check_brought, check_bytes, reads
from tropviz.ui.lab.model import Model, Tokens, fingerprint, gates, model_of, number, question, trouble
from tropviz.ui.scene import Refusal, Scene, admitted
from tropviz.ui.scene.board import Changes
from tropviz.ui.scene.part import change, control
from tropviz.ui.scene.rows.your_router import FRESH
from tropviz.ui.scene.weight import weight

Files = Sequence[tuple[str, bytes]]
Shapes = dict[str, tuple[int, ...]]
Found = Capture | RouterFile | LayerFile
#: What a model takes in memory, in sizes of its file, of which only the routers are decoded.
_MODEL = 2


def panel(scene: Scene) -> None:
    """Where the router comes from, in the sidebar."""
    names = Shelf.of().names()
    if names:
        label, options = {"": say("The shipped sample")}, list(dict.fromkeys(["", scene.lab_stored, *names]))
        control(
            "lab_stored",
            st.selectbox,
            say("On this server"),
            options,
            index=options.index(scene.lab_stored),  # the state under its key may still be that of the page before
            live=False,
            format_func=lambda n: label.get(n, n),
        )
    with st.expander(say("Your own router"), expanded=bool(scene.lab_file)):
        _uploader(
            say("Capture, router or shard"),
            "upload_model",
            took_model,
            say(
                "What `tropviz.capture` saved, W with b and k, or a shard of a checkpoint together with "
                "its config.json."
            ),
        )
        _uploader(
            say("Its tokens"),
            "upload_tokens",
            took_tokens,
            say("What the gate reads: X, one row a token; with names also `texts`, one a row. A capture has its own."),
        )
        st.caption(
            say("Up to {max_file_bytes} MB each; they stay in this session.", max_file_bytes=MAX_FILE_BYTES // 1000000)
        )
        if scene.own_model is not None:
            sample = change(own_model=None, own_tokens=None, own_other=None, lab_file="", **FRESH)
            st.button(say("Back to the shipped sample"), on_click=sample)
    with st.expander(say("Compare with"), expanded=scene.own_other is not None):
        _uploader(
            say("Another capture"),
            "upload_other",
            took_other,
            say("The same layers, N and k: a later checkpoint, say."),
        )
        if scene.own_other is not None:
            st.button(say("Compare with nothing"), on_click=change(own_other=None))


def _uploader(label: str, key: str, took: Callable[[Scene, Files], Changes], help: str) -> None:
    fold = change(partial(_given, took), key)
    st.file_uploader(label, type=EXTENSIONS, key=key, on_change=fold, help=help, accept_multiple_files=True)


def _given(took: Callable[[Scene, Files], Changes], scene: Scene, files: Any) -> Changes:
    """What files that were given change; files that were taken away change nothing."""
    if not files:
        return None
    try:
        check_bytes(files[-1])
        files = [file for file in files if file.size <= MAX_FILE_BYTES]  # its box keeps what was refused before
        return took(scene, [(file.name, file.getvalue()) for file in files])
    except ValueError as problem:
        name = shown(say(model_of(scene).name), 80)
        return {"notes": (Refusal(say("{problem} Still showing {name}.", problem=problem, name=name)),)}


def took_model(scene: Scene, files: Files) -> Changes:
    """Accepted files become the model that is looked at; ValueError in one sentence."""
    model = _admitted(files)
    changes: dict[str, Any] = {**FRESH, "own_model": model, "lab_file": model.mark, "lab_stored": "", "own_other": None}
    if scene.lab_file == model.mark:  # the file that the link needs: what the link says stands
        told = say("{name} is the file that this link needs: it is shown as the link says.", name=model.name)
        return {"own_model": model, "lab_stored": "", "notes": (told,)}
    named = scene.lab_file.rpartition("~")[0]
    other = (
        say(" It is called like the file that the link needs, and has other content.") if named == model.name else ""
    )
    return {**changes, "notes": (say("{name} is shown.{other}", name=model.name, other=other),)}


def _admitted(files: Files) -> Model:
    model = read_model(files)
    return admitted(model, max(weight((model.capture, model.file)), _MODEL * sum(len(content) for _, content in files)))


def read_model(files: Files) -> Model:
    """One capture, router or shard; a shard may have its config.json beside it.

    An uploader keeps what it was given before, also what was refused: the newest of either counts.

    Raises
    ------
    ValueError
        One sentence: no model, another format, damaged content.
    """
    configs = [content for name, content in files if name.lower() == "config.json"]
    rest = [(name, content) for name, content in files if name.lower() != "config.json"]
    if not rest:
        what = say("config.json alone was given")
        raise ValueError(say("{what}: give one capture, router or shard, a shard with its config.json.", what=what))
    name, content = rest[-1]
    label, config, found = reads(inside, content, name, configs[-1] if configs else None)
    mark = fingerprint(content)
    if isinstance(found, dict):
        return Model(label, mark, shard=checkpoints.open_shard(content, name, config, found))
    return Model(label, mark, capture=found) if isinstance(found, Capture) else Model(label, mark, file=found)


def inside(
    content: bytes, name: str, config: bytes | None
) -> tuple[str, Any, Capture | RouterFile | LayerFile | Shapes]:
    """Its name, its config, and what is in it: of a shard, whose gates can be read, only the shapes of its tensors."""
    source = open_source(content, name)
    found = _inside(source, config)
    if isinstance(found, Checkpoint):
        return source.name, found.config, {n: tensor.shape for n, tensor in found.tensors.items()}
    check_brought(source.name, weight(found))
    return source.name, None, found


def _inside(source: Source, config: bytes | None) -> Found | Checkpoint:
    content, name = source.data, source.name
    if source.suffix == ".npz" and "about" in entries(source):
        return load(BytesIO(content), name, len(content) + 8 * FREE_NUMBERS)
    if source.suffix in (".safetensors", ".pt") and (config or not entries(source).keys() & {"W", ""}):
        shard = checkpoints.open_shard(content, name, checkpoints.read_config(config) if config else None)
        _look(shard)
        return shard
    return read_any(content, name)


def _look(shard: Checkpoint) -> None:
    """Read the gates of a shard; ValueError for what no answer on the page could mend."""
    try:
        gates = checkpoints.read_uploaded(shard)
        while gates:  # one at a time: a gate keeps its W
            gate = gates.pop(0)
            if gate.kind != "X":
                gate.W  # noqa: B018
    except Unknown:  # asked on the page
        return


def took_tokens(scene: Scene, files: Files) -> Changes:
    """Accepted inputs are the router's tokens now, the newest of them; ValueError if they do not fit it."""
    if model_of(scene).capture is not None:
        raise ValueError(say("A capture has its own tokens: upload a router or a shard first."))
    if why := question(scene):
        raise ValueError(say("The router is not known yet: {why}", why=why))
    name, content = files[-1]
    d = gates(scene)[number(scene)].d
    label = shown(name)
    X, texts = reads(given_tokens, content, name, d)
    X.setflags(write=False)
    changes: dict[str, Any] = {
        "own_tokens": admitted(Tokens(label, X, texts), weight((X, texts)) + len(content)),
        "lab_token": -1,
    }
    told = say(" with their texts") if texts else ""
    return {**changes, "notes": (say("{label}: {x:,} tokens{value}.", label=label, x=len(X), value=told),)}


def given_tokens(content: bytes, name: str, d: int) -> tuple[NDArray[np.float64], tuple[str, ...] | None]:
    """The tokens of a file and their texts; ValueError in one sentence."""
    X, label = read_points(content, name, d=d), shown(name)
    if len(X) < 2:
        raise ValueError(say("{label} has one token: give at least two.", label=label))
    check_brought(label, X.nbytes)  # before the texts are made
    texts = read_texts(content, name, len(X))
    check_brought(label, X.nbytes + sum(map(sys.getsizeof, texts or ())))
    return X, texts


def took_other(scene: Scene, files: Files) -> Changes:
    """An accepted capture is what this one is compared with; ValueError in one sentence if it does not fit."""
    from tropviz.core.capture.compare import compare

    capture = model_of(scene).capture
    if capture is None:
        raise ValueError(say("Two captures are compared: upload a capture as the router first."))
    other = _admitted(files)
    if other.capture is None:
        raise ValueError(say("{name} is no capture: give what tropviz.capture saved.", name=other.name))
    compare(capture, other.capture)
    return {
        "own_other": other,
        "notes": (say("{name} is compared with {name_2}.", name=other.name, name_2=say(model_of(scene).name)),),
    }


def missing(scene: Scene) -> str | None:
    """Which file the link needs, where it is not here."""
    if problem := trouble(scene):
        return problem
    if not scene.lab_file or scene.own_model is not None:
        return None
    name = shown(scene.lab_file.rpartition("~")[0] or scene.lab_file, 80)
    return say(
        "This link needs {name}: upload it under Your own router. Until then the shipped sample is shown.", name=name
    )
