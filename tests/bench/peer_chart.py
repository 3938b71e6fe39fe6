"""An empty Streamlit page with one Plotly chart, as the peer of the first picture of a visit."""

import plotly.graph_objects as go
import streamlit as st

st.plotly_chart(go.Figure(go.Scatter(x=[0, 1, 2], y=[0, 1, 4])))
