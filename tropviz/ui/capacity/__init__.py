"""The Capacity page."""
