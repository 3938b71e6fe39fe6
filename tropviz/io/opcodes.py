"""What a .pt file says of its tensors, read by a machine that knows names, numbers, lists and tensors, and no code.

torch writes that part in the language of pickles. Here its instructions are read one by one (by the standard library's
`pickletools`, which runs nothing), and those a state_dict needs are followed: a "call" only ever makes a description.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tropviz.io.text import shown

#: Most bytes and instructions read: room for 10,000 tensors.
BYTES, STEPS = 4_000_000, 600_000


class NotPlain(Exception):
    """The instructions do more than describe tensors; the text says what they name."""


@dataclass(frozen=True)
class Storage:
    """Where numbers lie: the type of a number as torch names it, the member of the archive, and how many."""

    kind: str
    key: str
    numbers: int


@dataclass(frozen=True)
class Tensor:
    """A strided view of a storage."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True)
class Odd:
    """Something of torch that is no plain tensor; `kind` says what."""

    kind: str


@dataclass(frozen=True)
class _Global:
    name: str


_MARK = object()
#: Instructions that put a constant, or their own argument, on the stack.
_CONSTANT: dict[str, Callable[[], Any]] = {
    "NONE": lambda: None,
    "NEWTRUE": lambda: True,
    "NEWFALSE": lambda: False,
    "EMPTY_LIST": list,
    "EMPTY_DICT": dict,
    "EMPTY_TUPLE": tuple,
    "MARK": lambda: _MARK,
}
_ARGUMENT = {"BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"}
_ARGUMENT |= {"BINBYTES", "SHORT_BINBYTES", "BINSTRING", "SHORT_BINSTRING"}
#: What may be called, and what it then is.
_ODD = {
    "torch._utils._rebuild_sparse_tensor": "sparse tensor",
    "torch._utils._rebuild_sparse_csr_tensor": "sparse tensor",
    "torch._utils._rebuild_nested_tensor": "nested tensor",
    "torch._utils._rebuild_qtensor": "quantised tensor",
    "torch._utils._rebuild_meta_tensor_no_storage": "tensor on the device meta and has no numbers",
    "torch._utils._rebuild_wrapper_subclass": "tensor of a class of its own",
    "torch._tensor._rebuild_from_type_v2": "tensor of a class of its own",
    "torch.serialization._get_layout": "layout",
    "torch.device": "device",
    "torch.Size": "size",
    "_codecs.encode": "text",
    "collections.Counter": "counter",
}


def described(data: bytes) -> Any:
    """The object that the instructions build: dicts, lists, numbers, texts, `Tensor` and `Odd`.

    Raises
    ------
    NotPlain
        Damaged, too long, or more than a description of tensors.

    Examples
    --------
    >>> import pickle
    >>> described(pickle.dumps({"k": [2, None]}, protocol=2))
    {'k': [2, None]}
    >>> described(pickle.dumps(print, protocol=2))
    Traceback (most recent call last):
    ...
    tropviz.io.opcodes.NotPlain: it names __builtin__.print
    """
    if len(data) > BYTES:
        raise NotPlain("its directory is too long")
    machine = _Machine()
    try:
        for step, (code, argument, _) in enumerate(pickletools.genops(data)):
            if step >= STEPS:
                raise NotPlain("its directory is too long")
            if code.name == "STOP":
                return machine.stack.pop()
            machine.follow(code.name, argument)
    except NotPlain:
        raise
    except Exception:  # truncated or twisted instructions: a stack that is empty, an argument of another type
        pass
    raise NotPlain("its directory is damaged")


class _Machine:
    """A stack and numbered notes, as in `pickle`, for the few instructions of `torch.save`."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.notes: dict[int, Any] = {}

    def follow(self, name: str, argument: Any) -> None:
        """One instruction."""
        stack = self.stack
        if name in _ARGUMENT:
            stack.append(argument)
        elif name in _CONSTANT:
            stack.append(_CONSTANT[name]())
        elif name in ("BINPUT", "LONG_BINPUT"):
            self.notes[argument] = stack[-1]
        elif name == "MEMOIZE":
            self.notes[len(self.notes)] = stack[-1]
        elif name in ("BINGET", "LONG_BINGET"):
            stack.append(self.notes[argument])
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            n = int(name[-1])
            stack[-n:] = [tuple(stack[-n:])]
        elif name == "TUPLE":
            stack.append(tuple(self._marked()))
        elif name == "GLOBAL":
            stack.append(_global(argument.replace(" ", ".")))
        elif name == "STACK_GLOBAL":
            attribute, module = stack.pop(), stack.pop()
            stack.append(_global(f"{module}.{attribute}"))
        elif name == "BINPERSID":
            stack.append(_storage(stack.pop()))
        elif name == "REDUCE":
            arguments = stack.pop()
            stack.append(_called(stack.pop(), arguments))
        elif name == "BUILD":  # attributes of a state_dict: how its layers are versioned
            stack.pop()
        else:
            self._fill(name)

    def _fill(self, name: str) -> None:
        stack = self.stack
        if name == "SETITEM":
            value = stack.pop()
            items = [stack.pop(), value]
        elif name in ("SETITEMS", "APPENDS"):
            items = self._marked()
        elif name == "APPEND":
            items = [stack.pop()]
        elif name in ("PROTO", "FRAME"):
            return
        else:
            raise NotPlain(f"it uses the instruction {name}")
        if name.startswith("APPEND"):
            _typed(stack[-1], list).extend(items)
        else:
            _typed(stack[-1], dict).update(zip(map(_name, items[::2]), items[1::2], strict=True))

    def _marked(self) -> list[Any]:
        """What lies above the last mark; each entry is looked at once."""
        out = []
        while (top := self.stack.pop()) is not _MARK:
            out.append(top)
        return out[::-1]


def _name(key: Any) -> str:
    """A key as a text: numbers could be chosen to meet in one slot of a dict."""
    return key if type(key) is str else repr(key) if type(key) in (int, float, bool) else "?"


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise NotPlain("its directory is damaged")
    return value


def _storage(parts: Any) -> Storage:
    word, kind, key, _, numbers = _typed(parts, tuple)
    if word != "storage" or type(kind) is not _Global or not kind.name.startswith("torch."):
        raise NotPlain("its directory is damaged")
    return Storage(kind.name.removeprefix("torch.").removeprefix("storage."), _typed(key, str), _typed(numbers, int))


def _global(name: str) -> _Global:
    if not name.startswith("torch.") and name not in _ODD and name != "collections.OrderedDict":
        raise NotPlain(f"it names {shown(name)}")
    return _Global(name)


def _called(what: Any, arguments: Any) -> Any:
    """The description that a call stands for; whatever is no call of `torch.save` is refused by name."""
    name = _typed(what, _Global).name
    if name == "collections.OrderedDict" and not arguments:
        return {}
    if name == "torch._utils._rebuild_tensor_v2":
        storage, offset, shape, strides = arguments[:4]
        return _strided(storage, offset, shape, strides)
    if name == "torch._utils._rebuild_tensor_v3":  # types without a storage of their own: uint16, uint32, float8
        storage, offset, shape, strides, _, _, dtype = arguments[:7]
        kind = _typed(dtype, _Global).name.removeprefix("torch.")
        return _strided(Storage(kind, storage.key, storage.numbers), offset, shape, strides)
    if name in ("torch._utils._rebuild_parameter", "torch._utils._rebuild_parameter_with_state"):
        return arguments[0]
    if name in _ODD:
        return Odd(_ODD[name])
    raise NotPlain(f"it names {shown(name)}")


def _strided(storage: Any, offset: Any, shape: Any, strides: Any) -> Tensor:
    shape, strides = _typed(shape, tuple), _typed(strides, tuple)
    if not all(type(n) is int and n >= 0 for n in (offset, *shape, *strides)) or len(shape) != len(strides):
        raise NotPlain("its directory is damaged")
    return Tensor(_typed(storage, Storage), offset, shape, strides)
