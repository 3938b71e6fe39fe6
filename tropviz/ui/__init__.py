"""Streamlit: the scene and its URL, controls, the count panel, the canvas component."""
