"""Core results to Plotly figure dicts: pure functions that know no streamlit."""
