"""The mathematics: numpy, scipy, shapely, torch. Knows no streamlit and no plotly."""
