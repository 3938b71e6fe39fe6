"""Routers and data in, results out."""
