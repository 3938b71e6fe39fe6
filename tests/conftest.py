"""Settings of every test run: one thread per worker, no clock in property tests, markers by folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Two workers on two cores: more threads would only fight over them. Before numpy or torch is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The cores are busy with tests: long work of a page would wait for them to be done.
os.environ.setdefault("TROPVIZ_LONG_IDLE", "0")

from hypothesis import settings

settings.register_profile("tropviz", deadline=None, print_blob=True)
settings.load_profile("tropviz")

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test in tests/browser is marked ``browser``, one in tests/pages ``pages``, so that -m can choose."""
    for item in items:
        if item.path.is_relative_to(HERE) and item.path.parent != HERE:
            folder = item.path.relative_to(HERE).parts[0]
            if folder in ("browser", "pages"):
                item.add_marker(folder)
