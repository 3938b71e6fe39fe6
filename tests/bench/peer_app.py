"""The smallest app there is, as the peer of one slider step: one slider and one line of text."""

import streamlit as st

from tropviz.ui.latency import tune

tune()
st.write(f"N is {st.slider('Experts N', 2, 256, 8)}.")
