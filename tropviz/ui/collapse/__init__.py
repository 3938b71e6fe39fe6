"""The Angular collapse page."""
