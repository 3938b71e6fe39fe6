"""The Capacity page: what the binomial promises, what a slice keeps, and which shapes cost the same."""
