"""The Hypersimplex page."""
