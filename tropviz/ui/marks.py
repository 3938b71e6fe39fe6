"""The marks a number of regions can stand for, named and drawn the same on every page.

The paper's bound is a maximum over weights, the region law a mean over random weights, an exact count belongs to one
layer; a designed layer says how much of the maximum is known to be reached. None stands without its name.
"""

from __future__ import annotations

from dataclasses import dataclass

from tropviz.language import phrase, say


@dataclass(frozen=True)
class Mark:
    """One of them.

    Attributes
    ----------
    sign : str
        As it is drawn in charts.
    name, means : str
        Its name, and what it is a statement about.
    colour : str
        Name of a colour of the page.
    """

    sign: str
    name: str
    means: str
    colour: str

    @property
    def label(self) -> str:
        """Name and meaning, as a row begins.

        >>> PROMISED.label
        'Promised, maximum over weights'
        """
        return say("{name}, {means}", name=say(self.name), means=say(self.means))


PROMISED = Mark("○", phrase("Promised"), phrase("maximum over weights"), "orange")
SLICE = Mark("○", phrase("Slice bound"), phrase("maximum over weights"), "orange")
DESIGNED = Mark("◆", phrase("Designed"), phrase("chosen weights"), "green")
RANDOM = Mark("●", phrase("Random"), phrase("mean over weights"), "violet")
THIS = Mark("■", phrase("This router"), phrase("counted"), "green")
#: Their names in a line of a chart's key, which are `name.lower()` in English only.
_SMALL = {
    "Promised": phrase("promised"),
    "Slice bound": phrase("slice bound"),
    "Designed": phrase("designed"),
    "Random": phrase("random"),
    "This router": phrase("this router"),
}

#: What a designed number says, for the hover.
REACHED = phrase("Counted in one layer with chosen weights: the maximum is at least this.")


def key(marks: tuple[tuple[Mark, str], ...]) -> str:
    """What the marks of a chart are, as HTML; each with a word of its own.

    >>> "◆ designed" in key(((DESIGNED, "reached by one layer"),))
    True
    """
    items = "".join(
        f'<span><b style="color:var(--tv-{mark.colour})">{mark.sign} {say(_SMALL[mark.name])}</b> {text}</span>'
        for mark, text in marks
    )
    return f'<p class="tv-hint tv-key">{items}</p>'
