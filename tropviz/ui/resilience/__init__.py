"""The Resilience page: from which dimension on the binomial is there, on flat slices and on curved data."""
