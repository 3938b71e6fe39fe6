"""`pip install .`: the wheel alone runs the shell, finds its samples, and starts the dashboard."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import tropviz

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """What a wheel of this checkout unpacks to, far from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, ROOT]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("tropviz-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed: Path, *words: str, **options) -> subprocess.CompletedProcess:
    env = {**os.environ, "PYTHONPATH": str(installed)}
    call = [sys.executable, *words]
    done = subprocess.run(call, cwd=installed.parent, env=env, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done


def test_the_shell_runs_from_the_wheel_alone(installed):
    assert run(installed, "-m", "tropviz", "--version").stdout == f"tropviz, version {tropviz.__version__}\n"
    sample = installed / "tropviz" / "_app" / "assets" / "examples" / "router.json"
    assert json.loads(run(installed, "-m", "tropviz", "cells", str(sample)).stdout)["cells"]["kind"] == "exact"


def test_samples_and_types_travel(installed):
    code = "import tropviz; from tropviz.io import digits; print(tropviz.__file__, len(digits().labels))"
    where, labels = run(installed, "-c", code).stdout.split()
    assert where.startswith(str(installed)) and labels == "1797"
    assert (installed / "tropviz" / "py.typed").is_file()


def test_a_page_runs_from_the_wheel_alone(installed):
    code = """
from tropviz.home import HOME
from streamlit.testing.v1 import AppTest
at = AppTest.from_file(str(HOME / "app.py"), default_timeout=120).run()
assert not at.exception, at.exception
at.switch_page(str(HOME / "pages" / "capacity.py")).run()
assert not at.exception, at.exception
"""
    run(installed, "-c", code)


def test_the_dashboard_is_started_in_its_own_folder(installed, tmp_path):
    # Streamlit tells its settings as it sees them: those of the app's own folder.
    (tmp_path / "streamlit").mkdir()
    fake = "import os, sys; print(os.getcwd(), *sys.argv[1:])"
    (tmp_path / "streamlit" / "__main__.py").write_text(fake)
    (tmp_path / "streamlit" / "__init__.py").write_text("")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(tmp_path)])}
    call = [sys.executable, "-m", "tropviz", "app", "--port", "8765", "--headless", "--server.baseUrlPath=x"]
    told = subprocess.run(call, cwd=tmp_path, env=env, capture_output=True, text=True, check=True).stdout.split()
    assert told[0] == str(installed / "tropviz" / "_app")
    assert told[1:4] == ["run", "app.py", "--server.port=8765"] and told[-1] == "--server.baseUrlPath=x"
    wrong = subprocess.run([*call[:4], "--port", "0"], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert wrong.returncode == 2 and "--port is 0" in wrong.stderr
