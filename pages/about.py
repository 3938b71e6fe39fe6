"""About: how sure is a number, and what does every word mean?"""

from __future__ import annotations

import streamlit as st

from tropviz.language import say
from tropviz.ui import shell
from tropviz.ui.about import words
from tropviz.ui.canvas import beacon
from tropviz.ui.counts import quiet_title
from tropviz.ui.scene import Scene
from tropviz.ui.scene.part import part

scene = shell.page("about")


@part("text")
def text(scene: Scene) -> None:
    shell.show_notes(scene, words.missing(scene.word))
    st.html(words.CSS)
    if not scene.word:
        st.html(words.about())
    st.html(quiet_title(say("Glossary")))
    st.html(words.glossary(scene.word))
    if scene.word:
        st.html(words.about())


text()
shell.copy_link()
beacon()
