"""What the core says of its numbers, in the current language: it speaks English, and knows of no other."""

from __future__ import annotations

import functools
import re
from functools import partial

from tropviz.language.catalogue import translations
from tropviz.language.people import numeral
from tropviz.language.speech import current, say

_SLOT = re.compile(r"(?<!\{)\{(\d)\}(?!\})")
_DEEP = 3


@functools.cache
def _patterns(code: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Templates of the core, whose values have numbers for names, and the words of a language for each; longest first.

    They stand in the catalogue as `python -m tropviz.language` finds them in the sources.
    """
    known = getattr(translations(code), "_catalog", {})
    found = [(key, said) for key, said in known.items() if isinstance(key, str) and _SLOT.search(key)]
    return tuple((_matcher(key), said) for key, said in sorted(found, key=lambda pair: -len(_SLOT.sub("", pair[0]))))


def _matcher(template: str) -> re.Pattern[str]:
    parts = _SLOT.split(template)
    return re.compile("".join(re.escape(p) if i % 2 == 0 else f"(?P<v{p}>.*?)" for i, p in enumerate(parts)) + r"\Z")


def heard(text: str) -> str:
    """A method or an assumption of a count in the current language; English, where it is not in the catalogue.

    >>> heard("cells of the fan")
    'cells of the fan'
    """
    return text if current() == "en" else _said(text, _DEEP)


def _slot(values: dict[str, str], found: re.Match[str]) -> str:
    return values.get(found[1], "")


def _said(text: str, deep: int) -> str:
    if (found := say(text)) != text or deep == 0:
        return found
    for pattern, template in _patterns(current()):
        if (match := pattern.match(text)) is not None:
            values = {name[1:]: _said(value, deep - 1) for name, value in match.groupdict().items()}
            return _SLOT.sub(partial(_slot, values), template)
    return numeral(text) if re.fullmatch(r"[\d.,]+", text) else text
