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


@functools.cache
def script_words(code: str) -> dict[str, str]:
    """The words of a language that stand in scripts, by their English."""
    from babel.messages.pofile import read_po

    with path_of(code, DOMAINS[0]).open("rb") as file:
        catalogue = read_po(file, locale=code)
    return {
        str(message.id): str(message.string)
        for message in catalogue
        if message.id
        and message.string
        and not message.fuzzy
        and any(name.endswith(".js") for name, _ in message.locations)
    }


@functools.cache
def translations(code: str) -> gettext.NullTranslations:
    """The words of a language; what is not translated, or doubtful, stays English."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    found: gettext.NullTranslations | None = None
    for domain in DOMAINS:
        compiled = BytesIO()
        with path_of(code, domain).open("rb") as file:
            catalogue = read_po(file, locale=code)
        for message in [one for one in catalogue if isinstance(one.string, tuple) and not all(one.string)]:
            message.string = ""  # one that is said in part would be taken for the whole
        write_mo(compiled, catalogue)
        compiled.seek(0)
        one = gettext.GNUTranslations(compiled)
        if found is None:
            found = one
        else:
            found.add_fallback(one)
    assert found is not None
    return found
