"""A folder of models and captures on the server, named at its start: listed, and never left."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tropviz.io.text import quoted
from tropviz.io.traces import SUFFIXES as CAPTURES

#: The environment variable that names the folder.
VARIABLE = "TROPVIZ_DATA"
#: Files that are listed; a folder is, when it has a config.json.
SUFFIXES = (*CAPTURES, ".safetensors", ".gguf")
#: Most entries looked at.
MOST = 1000


class Shelf:
    """What lies in a folder.

    Parameters
    ----------
    root : path or None
        None: there is no folder, and nothing on the shelf.

    Raises
    ------
    ValueError
        If there is no such folder.

    Examples
    --------
    >>> Shelf(None).names()
    []
    """

    def __init__(self, root: str | os.PathLike[str] | None) -> None:
        self.root = None if root is None else Path(root).resolve()
        if self.root is not None and not self.root.is_dir():
            raise ValueError(f"{VARIABLE} is {quoted(str(root))}: give a folder that exists.")

    @classmethod
    def of(cls, environment: Mapping[str, str] | None = None) -> Shelf:
        """The shelf that the environment names."""
        found = (os.environ if environment is None else environment).get(VARIABLE)
        return cls(found or None)

    def names(self) -> list[str]:
        """Files and model folders directly on the shelf, sorted; nothing hidden, no link that leads out."""
        if self.root is None:
            return []
        with os.scandir(self.root) as found:
            entries = [entry.name for entry, _ in zip(found, range(MOST), strict=False)]
        return sorted(name for name in entries if self._shown(name))

    def path(self, name: str) -> Path:
        """Where something on the shelf lies.

        Raises
        ------
        ValueError
            For anything that is not listed.
        """
        if self.root is None or name not in self.names():
            raise ValueError(f"{quoted(name)} is not in the server's folder: choose one that is listed.")
        return self.root / name

    def _shown(self, name: str) -> bool:
        assert self.root is not None
        path = self.root / name
        if name.startswith(".") or not self._inside(path):
            return False
        if path.is_dir():
            return (path / "config.json").is_file() and all(self._inside(p) for p in path.iterdir())
        return path.is_file() and path.suffix.lower() in SUFFIXES

    def _inside(self, path: Path) -> bool:
        assert self.root is not None
        try:
            return path.resolve(strict=True).is_relative_to(self.root)
        except OSError:
            return False
