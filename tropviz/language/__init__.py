"""What is said on screen, in the language of whoever reads it: words, plurals, numbers.

    say("{n:,} cells in the window", n=len(cells))     # a template, English, and what stands in it
    plural("{n:,} cell", "{n:,} cells", len(cells))    # one, or many
    LABEL = phrase("Expert width")                     # of a module: marked here, `say(LABEL)` where it is shown

The English template is the key of the catalogues in `tropviz/locale`; ``python -m tropviz.language`` brings them up to
date with the sources. The core speaks English: what it says of a number goes through `heard`.
"""

from __future__ import annotations

from tropviz.language.catalogue import script_words
from tropviz.language.heard import heard
from tropviz.language.numbers import separators
from tropviz.language.people import numeral, people
from tropviz.language.speech import LANGUAGES, current, english, noting, phrase, plural, say, speaking, use

__all__ = [
    "LANGUAGES",
    "current",
    "english",
    "heard",
    "noting",
    "numeral",
    "people",
    "phrase",
    "plural",
    "say",
    "script_words",
    "separators",
    "speaking",
    "use",
]
