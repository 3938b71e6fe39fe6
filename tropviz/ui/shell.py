"""What is around every page: the list of pages, the guard for deep links, the look."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from tropviz.home import HOME
from tropviz.io.text import shown
from tropviz.language import current, phrase, say, script_words, separators, use
from tropviz.ui import desk, heavy, latency, own_data, tally, welcome
from tropviz.ui.canvas import script
from tropviz.ui.scene import Refusal, Scene, part
from tropviz.ui.scene.board import Rule, board

_LOGO, _MARK = (Path(__file__).with_name(f"{name}.svg") for name in ("logo", "mark"))
_SLIDE_CSS = (
    ':root:not(.tv-slide) [data-testid="stSidebar"],[data-testid="stHeader"],'
    '[data-testid="stExpandSidebarButton"]{display:none!important}'
    '[data-testid="stMainBlockContainer"]{padding:1rem 1.2rem!important}'
)

#: group, file, title, url name, the question it answers. The file is called like the url name. The first page is the
#: app's own address, "/". A page whose file does not exist is not listed.
PAGES: tuple[tuple[str, str, str, str, str], ...] = (
    (phrase("Explore"), "pages/fan.py", phrase("Router fan"), "fan", phrase("Where does the router send which input?")),
    (
        phrase("Explore"),
        "pages/hypersimplex.py",
        phrase("Hypersimplex"),
        "hypersimplex",
        phrase("Which polytope is behind the fan?"),
    ),
    (
        phrase("Explore"),
        "pages/collapse.py",
        phrase("Angular collapse"),
        "collapse",
        phrase("What does off-centre data do, what undoes it?"),
    ),
    (
        phrase("Explore"),
        "pages/training.py",
        phrase("Training"),
        "training",
        phrase("How did the router come to be so?"),
    ),
    (
        phrase("Understand"),
        "pages/capacity.py",
        phrase("Capacity"),
        "capacity",
        phrase("How many regions are promised, how many kept?"),
    ),
    (
        phrase("Understand"),
        "pages/resilience.py",
        phrase("Resilience"),
        "resilience",
        phrase("From which dimension on is the binomial there?"),
    ),
    (
        phrase("Understand"),
        "pages/two_layers.py",
        phrase("Two layers"),
        "two_layers",
        phrase("Do the gains multiply when layers are stacked?"),
    ),
    (
        phrase("Understand"),
        "pages/lessons.py",
        phrase("Lessons"),
        "lessons",
        phrase("What is there to see, step by step?"),
    ),
    (
        phrase("Understand"),
        "pages/about.py",
        phrase("About"),
        "about",
        phrase("How sure is a number, and what does every word mean?"),
    ),
    (
        phrase("Lab"),
        "pages/your_router.py",
        phrase("Your router"),
        "your_router",
        phrase("How healthy is a real router?"),
    ),
)


def navigation() -> StreamlitPage:
    """The top navigation: every page that exists in sight, with its question under the pointer."""
    use(board().world.values["lang"])
    pages = [
        st.Page(str(HOME / file), title=say(title), url_path=url, default=number == 0, help=say(question))
        for number, (_, file, title, url, question) in enumerate(PAGES)
        if (HOME / file).is_file()
    ]
    chosen = st.navigation(pages, position="top")
    here = board()
    if not here.page and (name := unknown(st.context.url or "")):  # its address shows the first page
        titles = ", ".join(page.title for page in pages)
        sentence = say("There is no page {name}; the pages are {titles}.", name=shown(name), titles=titles)
        here.world = here.world._replace(values={**here.world.values, "notes": (*here.world.values["notes"], sentence)})
    return chosen


def unknown(url: str) -> str:
    """The name of a page that there is not, as an address of the app asks for it; empty if it asks for none.

    >>> unknown("https://x.org/app/layers"), unknown("https://x.org/app/collapse"), unknown("https://x.org/app/")
    ('layers', '', '')
    """
    parts = urlsplit(url).path.split("/")
    known = {*(entry[3] for entry in PAGES), st.get_option("server.baseUrlPath").strip("/").split("/")[-1]}
    return "" if len(parts) < 2 or parts[-1] in known or "." in parts[-1] else parts[-1]


def dress() -> None:
    """What app.py does before the page runs: settings of the process, and the look of this page."""
    latency.tune()
    st.logo(str(_LOGO), size="large", icon_image=str(_MARK))
    st.session_state["framed"] = True
    if said := (f"<style>{_SLIDE_CSS}</style>" if on_slide() else "") + _script_words():
        st.html(said)


def _script_words() -> str:
    """What the scripts say, where they find it (canvas/js/language.js); English stands in the scripts themselves."""
    if (code := current()) == "en":
        return ""
    words = escape(json.dumps(script_words(code), ensure_ascii=False))
    return f'<div id="tv-words" hidden data-signs="{separators(code)}" data-words="{words}"></div>'


def heading(title: str) -> None:
    """The page's name and its question, in one line above everything; slides go without."""
    if not on_slide():
        question = say(next(question for _, _, name, _, question in PAGES if say(name) == title))
        with st.container(key="head", horizontal=True, vertical_alignment="center"):
            st.html(f'<h1 class="tv-page" tabindex="-1">{escape(title)} <span>{escape(question)}</span></h1>')
            desk.desk()
            welcome.welcome()


def foot(title: str) -> None:
    """The way on: the next page and its question, under everything; the last page leads to the first."""
    if on_slide():
        return
    walk = [entry for entry in PAGES if (HOME / entry[1]).is_file()]
    at = next(number for number, (_, _, name, _, _) in enumerate(walk) if say(name) == title)
    _, file, name, _, question = walk[(at + 1) % len(walk)]
    with st.container(key="foot"):
        st.page_link(
            str(HOME / file),
            label=say("Next: **{name}**. {question}", name=say(name), question=say(question)),
            icon=":material/arrow_forward:",
        )


def address() -> str:
    """Where the app is, with a slash at the end, as the browser knows it; empty where there is none."""
    found = st.context.url or ""
    return found.rsplit("/", 1)[0] + "/" if found.count("/") > 2 else ""


def on_slide() -> bool:
    """Whether the scene is shown as a slide: picture and counts only."""
    return bool(board().world.values["embed"])


def sidebar() -> Literal["auto", "collapsed", "expanded"]:
    """How the sidebar begins: a slide goes without, unless its link names controls that stay."""
    shown = bool(board().world.values["shown"])
    return ("expanded" if shown else "collapsed") if on_slide() else "auto"


def page(name: str, rule: Rule | None = None) -> Scene:
    """First call of every page, by its url name: its scene (`scene.part.page`).

    A deep link as the very first request of a server runs the page without app.py: Streamlit takes a folder `pages/`
    for its old multipage mode until `st.navigation` has run once in the process. Then all is run again.
    """
    if "framed" not in st.session_state:
        navigation()
        st.rerun()
    scene = part.page(name, rule)
    heavy.page_turned()
    tally.begin()
    return scene


def show_notes(scene: Scene, extra: Iterable[str] = ()) -> None:
    """The sentences that say what was clamped, refused or left out: one line, behind which the others unfold."""
    sentences = sorted((*scene.notes, *extra, *_beside(scene)), key=lambda s: not isinstance(s, Refusal))
    if not sentences:
        return
    kind = "tv-note tv-refused" if isinstance(sentences[0], Refusal) else "tv-note"
    first, *rest = (f'<p class="{kind if i == 0 else "tv-note"}">{escape(s)}</p>' for i, s in enumerate(sentences))
    if rest:  # unfolded over the picture, which keeps its place and size
        count = "<b>" + say("{sentences} notes", sentences=len(sentences)) + "</b>"
        every = first + "".join(rest)
        first = f'<details class="tv-notes"><summary>{first}{count}</summary><div>{every}</div></details>'
    st.html(f'<div role="status">{first}</div>')


def _beside(scene: Scene) -> tuple[str, ...]:
    """What this session brought and the page does not use."""
    page = board().page
    return tuple(filter(None, (own_data.unused(scene, page), own_data.untrained(scene, page))))


def meaning_html(text: str) -> str:
    """The line of meaning under a picture; may hold `<b>`; anything from outside must be escaped by the caller."""
    return f'<p class="tv-meaning">{text}</p>'


def meaning(text: str) -> None:
    """Show the line of meaning under a picture; may hold `<b>`; anything from outside must be escaped by the caller."""
    st.html(meaning_html(text))


_link = st.components.v2.component(
    "tropviz_link",
    isolate_styles=False,
    html='<div class="tv-link"><button type="button"></button></div>',
    js=script("link"),
)


def copy_link() -> None:
    """A button that copies the page's address, which the beacon keeps complete."""
    _link(key="copy_link", data={"label": say("Copy link")}, height="content")
