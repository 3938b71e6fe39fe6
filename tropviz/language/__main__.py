"""Bring the catalogues up to date with the sources: ``python -m tropviz.language``, in a checkout.

New and changed texts come in untranslated, gone ones go. What is
left to translate is counted.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from tropviz.language.catalogue import DOMAINS, path_of
from tropviz.language.sources import Text, every
from tropviz.language.speech import LANGUAGES

#: So that nothing changes where no text does.
_WHEN = datetime(2026, 12, 1, tzinfo=UTC)


def template_of(texts: list[Text], domain: str, code: str) -> Catalog:
    """All texts of one catalogue, untranslated."""
    out = Catalog(locale=code, domain=domain, project="tropviz", version="1", creation_date=_WHEN, revision_date=_WHEN)
    if code != "ko":  # Babel's rule for Italian has a form for millions, which nobody writes
        out.mime_headers = [("Plural-Forms", "nplurals=2; plural=(n != 1);")]
    for text in texts:
        if text.domain == domain:
            out.add((text.one, text.many) if text.many else text.one, locations=[(text.place, 1)])
    return out


def renewed(texts: list[Text], domain: str, code: str) -> bytes:
    """The catalogue of a language with all texts and no others, as it is written to its file."""
    template, path = template_of(texts, domain, code), path_of(code, domain)
    catalogue = template
    if path.is_file():
        with path.open("rb") as file:
            catalogue = read_po(file, locale=code, domain=domain)
        catalogue.update(template, no_fuzzy_matching=True)  # a guess would be shown as a translation
    catalogue.creation_date = catalogue.revision_date = _WHEN
    catalogue.fuzzy, catalogue.header_comment = False, f"# {LANGUAGES[code]}: texts of tropviz."
    out = BytesIO()
    write_po(out, catalogue, width=0, ignore_obsolete=True, include_lineno=False, sort_by_file=False)
    return out.getvalue()


def _strings(message: Message) -> tuple[str, ...]:
    """What a text is in the language: two strings where it has a plural; empty, where it is not translated."""
    said = message.string
    return (said,) if isinstance(said, str) else tuple(said or ("",))


def main() -> None:
    """Write every catalogue, and say how far it is."""
    texts = every(Path(__file__).resolve().parents[2])
    for code in LANGUAGES:
        for domain in DOMAINS if code != "en" else ():
            path = path_of(code, domain)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(renewed(texts, domain, code))
            with path.open("rb") as file:
                found = [message for message in read_po(file, locale=code) if message.id]
            done = sum(all(_strings(message)) and not message.fuzzy for message in found)
            print(f"{code} {domain}: {done:,} of {len(found):,} translated")


if __name__ == "__main__":
    main()
