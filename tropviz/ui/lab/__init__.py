"""The page Your router: whose router it is, what is seen of it, its health, and what to take away."""
