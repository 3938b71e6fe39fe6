"""Two layers: do the gains multiply when layers are stacked?"""

from __future__ import annotations

import streamlit as st

from tropviz.language import say
from tropviz.ui import claims, controls, heavy, shell
from tropviz.ui.canvas import beacon
from tropviz.ui.counts import show_counts
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import change, part
from tropviz.ui.two_layers import export, picture, region, stack, words
from tropviz.work import Budget

scene = shell.page("two_layers", rule=stack.admit)
SLOT = "stack"
#: Up to 40,000 regions, at about 0.3 ms each, three times over.
BUDGET = Budget(cpu=90.0)


@part("controls")
def panel(scene: Scene) -> None:
    controls.shared_controls(scene, main=("layers", "n", "k", "h", "window", "seed"))


@part("stack", live=True)
def stacked(scene: Scene) -> None:
    """The two stacks, as soon as they are counted."""
    stack.check(scene)
    if not there(scene):
        shell.show_notes(scene)
        return
    view = stack.view(scene)
    shell.show_notes(scene, picture.left_out(view))
    for column, kind in zip(st.columns(2, gap="medium"), ("moe", "dense"), strict=True):
        with column:
            picture.show(view, kind)
    shell.meaning(words.sentence(view))
    left, right = st.columns([7, 4], gap="large")
    with left:
        st.html(words.table(view))
        st.html(f'<p class="tv-hint">{words.assumptions(view)}</p>')
        if not scene.embed:
            export.menu()
    with right:
        st.html(region.panel(view))
        show_counts(words.counts(view), say("Promise and fact at this depth"))


def there(scene: Scene) -> bool:
    """Whether all is counted; else it is asked for, in the pool, with its progress and Stop."""
    if stack.at_once(scene):
        heavy.leave(SLOT)
        return True
    here = stack.token(scene)
    if scene.unstacked == here:
        heavy.leave(SLOT)
        st.html('<div class="tv-hold" role="status">' + say("Stopped: these regions are not counted.") + "</div>")
        st.button(say("Count the regions"), type="primary", on_click=change(unstacked=""))
        return False
    if heavy.derive(scene, SLOT, stack.calls(scene), say("Counting regions"), change(unstacked=here), BUDGET):
        return True
    if not heavy.failed(SLOT):
        st.html('<div class="tv-hold" role="status">' + say("The regions are being counted.") + "</div>")
    return False


with st.sidebar:
    panel()
stacked()
claims.show("two_layers")
beacon()
