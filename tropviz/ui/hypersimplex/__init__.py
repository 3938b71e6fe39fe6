"""The Hypersimplex page: which polytope is behind the fan, as three linked views of one object."""
