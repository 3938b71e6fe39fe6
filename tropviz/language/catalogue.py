"""The catalogues: gettext's .po files as they are written by people, read when a language is first asked for."""

from __future__ import annotations

import functools
import gettext
from io import BytesIO
from pathlib import Path

#: One folder a language, as gettext's tools lay them out.
FOLDER = Path(__file__).resolve().parents[1] / "locale"
#: What stands on the pages and in the pictures; what is read there: lessons, glossary, claims, presets.
DOMAINS = ("tropviz", "reading")


def path_of(code: str, domain: str) -> Path:
    """Where the catalogue of a language is.

    >>> path_of("it", "tropviz").name
    'tropviz.po'
    """
    return FOLDER / code / "LC_MESSAGES" / f"{domain}.po"


def translations(code: str) -> gettext.NullTranslations:
    """The words of a language; what is not translated, or doubtful, stays English."""
    return _read(code)[0]


def script_words(code: str) -> dict[str, str]:
    """The words of a language that stand in scripts, by their English."""
    return _read(code)[1]


@functools.cache
def _read(code: str) -> tuple[gettext.NullTranslations, dict[str, str]]:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    found: gettext.NullTranslations | None = None
    scripts: dict[str, str] = {}
    for domain in DOMAINS:
        with path_of(code, domain).open("rb") as file:
            catalogue = read_po(file, locale=code)
        for message in catalogue:
            if isinstance(message.string, tuple) and not all(message.string):
                message.string = ""  # one that is said in part would be taken for the whole
            elif message.id and message.string and any(place.endswith(".js") for place, _ in message.locations):
                scripts[str(message.id)] = str(message.string)
        compiled = BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        one = gettext.GNUTranslations(compiled)
        if found is None:
            found = one
        else:
            found.add_fallback(one)
    assert found is not None
    return found, scripts
