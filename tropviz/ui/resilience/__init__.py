"""The Resilience page."""
