"""Scenes to open from every page; `tropviz.ui.gallery` draws their pictures."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from urllib.parse import parse_qsl

from tropviz.home import asset
from tropviz.ui.scene import Scene, parse_link


@dataclass(frozen=True)
class Preset:
    """One scene to open.

    Attributes
    ----------
    name : str
        Also that of its picture.
    title, sentence : str
        What people read.
    page : str
        Url name.
    link : str
        Its scene, without what is a default.
    """

    name: str
    title: str
    sentence: str
    page: str
    link: str

    @property
    def scene(self) -> Scene:
        """What the link asks for."""
        return parse_link(dict(parse_qsl(self.link)))[0]


@functools.cache
def presets() -> tuple[Preset, ...]:
    """All of them, in the order in which they are shown.

    >>> presets()[0].title
    'Three cones'
    """
    text = asset("presets", "presets.json").read_text(encoding="utf-8")
    return tuple(Preset(**entry) for entry in json.loads(text)["presets"])
