"""About: what is exact, what is not, the known limits, and the glossary."""
