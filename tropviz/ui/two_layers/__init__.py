"""The Two layers page: layers stacked in the plane beside dense ones, their numbers, words and files."""
