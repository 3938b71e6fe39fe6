"""The empty app of a page that draws: one slider and one Plotly chart of as many points as the scene has."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from tropviz.ui.latency import tune

tune()
N = st.slider("Experts N", 2, 256, 8)
points = np.random.default_rng(N).normal(size=(2000, 2)).astype(np.float32)
st.plotly_chart(go.Figure(go.Scattergl(x=points[:, 0], y=points[:, 1], mode="markers")))
