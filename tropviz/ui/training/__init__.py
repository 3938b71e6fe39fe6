"""The Training page: recipes from the scene, runs in the pool, the picture, its words and its files."""
