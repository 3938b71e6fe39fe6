"""The Router fan page: plane and space, regions, the selected cell, files."""
