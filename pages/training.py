"""Training: how did the router come to be so?"""

from __future__ import annotations

import streamlit as st

from tropviz.figures.training import most_frames
from tropviz.language import say
from tropviz.ui import controls, heavy, shell
from tropviz.ui.canvas import beacon
from tropviz.ui.counts import show_counts
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import change, part
from tropviz.ui.training import export, picture, recipes, remedies, run, words

scene = shell.page("training")


@part("controls")
def panel(scene: Scene) -> None:
    def then() -> None:
        controls.widget("learn", scene)
        with st.expander(say("Layer and learning")):
            for name in ("centred", "affine_shared", "router_bias", "noise", "rate", "steps"):
                controls.widget(name, scene)

    main = ("n", "k", "h", "offset", "balance", "bias_rate")
    controls.shared_controls(scene, main=main, routers=False, then=then)


@part("runs", live=True)
def runs(scene: Scene) -> None:
    """The runs as far as they are: pictures, curves and what they came to."""
    found = run.asked(scene)
    if found.job is None:
        heavy.warm(run.ready)
    if "this" not in found.seen:
        picture.need(scene)
    shell.show_notes(scene, found.trouble.values())
    buttons(scene, found)
    pictures(scene, found)
    shell.meaning(words.lead(scene, found))
    if "this" not in found.seen:
        return
    left, right = st.columns([7, 4], gap="medium")
    with left:
        picture.curves(scene, found)
    with right:
        show_counts(words.counts(found), say("This run, as it ended") if found.over else say("This run, so far"))
        if not scene.embed and found.over:
            after(scene, found)
    st.html(words.table(scene, found))


def buttons(scene: Scene, found: run.Progress) -> None:
    """Train, its progress, and what to set beside it."""
    if (job := found.job) is not None:
        key = run.key_of(scene)
        heavy.show(job, run.SLOT, say("Training"), lambda: run.stop(key, job))
        if not found.over:
            return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        mark = recipes.mark(recipes.recipe(scene), scene.versus)
        label = say("Train again") if found.seen else say("Train")
        st.button(label, type="primary", on_click=run.begin(change(trained=mark, moment=-1)))
        controls.widget("versus", scene, width=260)
        if not scene.offset:
            st.button(say("Move the data off centre"), on_click=change(offset=6.0, trained=""))


def pictures(scene: Scene, found: run.Progress) -> None:
    """One fan, or two side by side."""
    seen = found.seen if "this" in found.seen else {"this": [picture.untrained(scene)]}
    two = recipes.other(scene) is not None and bool(found.seen)
    places = st.columns(2, gap="medium") if two else [st.container()]
    most, over = most_frames(seen.values()), found.over
    with places[0]:
        title = say("This run") if two else say("The router and what it decides")
        picture.show(scene, seen["this"], "this", title, over, most)
    if two:
        with places[1]:
            if "other" in seen:
                picture.show(scene, seen["other"], "other", recipes.other_name(scene).capitalize(), over, most)
            else:
                st.html('<div class="tv-hold" role="status">' + say("Trained next, from the same seed.") + "</div>")


def after(scene: Scene, found: run.Progress) -> None:
    """What one can do with a finished run."""
    step = found.seen["this"][picture.in_view(scene, found.seen["this"])].outcome.step
    taught = recipes.taught_text(scene, step)
    label = say("Use step {step:,} on every page", step=step)
    st.button(label, on_click=change(router="trained", taught=taught, cell="", expert=-1))
    if recipes.other(scene) is not None:
        controls.widget("seeds", scene, help=say("Trains both recipes from ten seeds, in the background."))
        if (many := run.over_seeds(scene)) is not None:
            job, pairs = many
            if not job.over.is_set():
                heavy.show(job, run.SEEDS_SLOT, say("Ten seeds"), None)
            st.html(f'<p class="tv-hint">{words.over_seeds(pairs, recipes.other_name(scene), recipes.SEEDS)}</p>')
    export.menu(found)


@part("remedies")
def every_remedy(scene: Scene) -> None:
    """What each remedy did, and whether the order of them holds: trained on request."""
    controls.widget("remedies", scene, width=320)
    if scene.remedies == "no":
        heavy.leave(remedies.SLOT)
        return
    remedies.trained(scene)
    st.html(remedies.table(scene))
    if told := remedies.order_html(scene):
        st.html(told)


with st.sidebar:
    panel()
runs()
if not scene.embed:
    st.header(say("What each remedy does"), anchor=False)
    every_remedy()
beacon()
