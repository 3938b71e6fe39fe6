"""tropviz: the server, page settings and navigation, nothing else. Start with ``streamlit run app.py``."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from tropviz.language import say

if get_script_run_ctx(suppress_warning=True) is None:  # imported by Streamlit, once: this is the server
    from tropviz.ui import server

    app = st.App(__file__, middleware=server.middleware(), lifespan=server.lifespan, on_script_error=server.failed)
else:
    from tropviz.ui import shell

    page = shell.navigation()
    st.set_page_config(
        page_title=f"{page.title} · tropviz",
        page_icon="◬",
        layout="wide",
        initial_sidebar_state=shell.sidebar(),
        menu_items={
            "About": say("tropviz: see how a Mixture-of-Experts router cuts up space, with numbers that can be quoted.")
        },
    )
    shell.dress()
    shell.heading(page.title)
    page.run()
    shell.foot(page.title)
