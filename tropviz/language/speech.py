"""In which language a text is said, and that it was asked: `say`, `plural`, `phrase`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations
from string import Formatter
from typing import Any

from tropviz.language.catalogue import translations
from tropviz.language.numbers import form

#: Languages by the code that stands in a link, under the names they have for themselves.
LANGUAGES = {"en": "English", "it": "Italiano", "de": "Deutsch", "ko": "한국어"}

_CODE: ContextVar[str] = ContextVar("language", default="en")
_TABLE: ContextVar[NullTranslations | None] = ContextVar("catalogue", default=None)
_NOTED: ContextVar[set[Any] | None] = ContextVar("noted", default=None)


def use(code: str) -> None:
    """From here on, in this thread, texts are said in this language.

    >>> use("de"); current()
    'de'
    >>> use("en")
    """
    if code != _CODE.get():
        _CODE.set(code)
        _TABLE.set(translations(code) if code in LANGUAGES and code != "en" else None)


def current() -> str:
    """The code of the language in which texts are said."""
    if (noted := _NOTED.get()) is not None:
        noted.add("lang")
    return _CODE.get()


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """For a while, texts are said in this language.

    >>> with speaking("it"):
    ...     say("{x:,.2f} not in any catalogue", x=1234.5)
    '1.234,50 not in any catalogue'
    """
    before = _CODE.get()
    use(code)
    try:
        yield
    finally:
        use(before)


@contextmanager
def noting(noted: set[Any]) -> Iterator[None]:
    """What is said meanwhile notes that the language was asked for, as a scene notes what is read of it."""
    token = _NOTED.set(noted)
    try:
        yield
    finally:
        _NOTED.reset(token)


class Said(str):
    """A text in another language, which knows what it is in English: counts are known by their English names."""

    __slots__ = ("english",)
    english: str


def english(text: Any) -> Any:
    """The English of a text that `say` gave.

    >>> english("Expert width")
    'Expert width'
    """
    return text.english if isinstance(text, Said) else text


class _Template(Formatter):
    """Fills a template with values whose numbers are written as the language writes them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return form(value, format(value, format_spec), _CODE.get())


_FILL = _Template().vformat


def say(template: str, /, *places: Any, **values: Any) -> str:
    """A text of ours in the current language.

    Parameters
    ----------
    template : str
        The English text, written out at the call: it is what is looked up. Braces name what stands in it, as in
        `str.format`; without values they are braces.
    *places, **values
        What stands in the braces. Numbers are written as the language writes them, by the format in the braces.

    Examples
    --------
    >>> say("{n:,} cells", n=1820)
    '1,820 cells'
    """
    if (noted := _NOTED.get()) is not None:
        noted.add("lang")
    if (table := _TABLE.get()) is None:
        return template.format(*places, **values) if places or values else template
    found = table.gettext(template) if template else ""
    said = Said(_FILL(found, places, values) if places or values else found)
    meant = {name: english(value) for name, value in values.items()}
    said.english = template.format(*places, **meant) if places or values else template
    return said


def plural(one: str, many: str, n: int, /, **values: Any) -> str:
    """A text that says how many of something there are; ``{n}`` is that number.

    >>> plural("{n} cell", "{n} cells", 1), plural("{n:,} cell", "{n:,} cells", 1820)
    ('1 cell', '1,820 cells')
    """
    if (noted := _NOTED.get()) is not None:
        noted.add("lang")
    values = {"n": n, **values}
    if (table := _TABLE.get()) is None:
        return (one if n == 1 else many).format(**values)
    return _FILL(table.ngettext(one, many, n), (), values)


def phrase(template: str) -> str:
    """Marks a text that is said later, with `say`; it stays English here.

    >>> phrase("Expert width")
    'Expert width'
    """
    return template
