"""A capture as a page that stands alone: numbers in words, pictures, and the same as JSON and CSV."""

from tropviz.report.numbers import as_json, numbers, table
from tropviz.report.page import page

__all__ = ["as_json", "numbers", "page", "table"]
