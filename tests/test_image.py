"""The image without docker: packages thinned out as the Dockerfile does it still run every page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = Path(sysconfig.get_paths()["purelib"])
TEXT = (ROOT / "Dockerfile").read_text()
CODE = """
import sys
sys.path[:] = [p for p in sys.path if "site-packages" not in p] + [sys.argv[1], "."]
import torch
assert torch.__file__.startswith(sys.argv[1]), torch.__file__
torch.topk(torch.zeros(3, 4), 2)
import safetensors.torch
from streamlit.testing.v1 import AppTest
from tropviz.ui.shell import PAGES
from pathlib import Path
at = AppTest.from_file("app.py", default_timeout=120).run()
for _, page, *_ in PAGES:
    if Path(page).exists():
        at.switch_page(page).run()
        assert not at.exception, (page, at.exception)
assert "torch._dynamo" not in sys.modules, "an optimiser is made in the server: 100 MB and seconds for everybody"
"""


def test_the_thinned_packages_run_every_page(tmp_path):
    """Hard links to the packages in use, thinned by the Dockerfile's own command; nothing in use is touched."""
    command = re.search(r"^RUN cd /opt/tropviz/lib/python3\*/site-packages \\\n(.*?)\n\n", TEXT, re.M | re.S)
    target = tmp_path / "packages"
    done = subprocess.run(["cp", "-al", PACKAGES, target], capture_output=True)
    if done.returncode:
        pytest.skip("the packages lie on another file system than the temporary folder")
    before = size(target)
    subprocess.run(["sh", "-ec", f"cd {target}\n" + command[1].replace("\\\n", " ").lstrip(" &")], check=True)
    gone = before - size(target)
    assert gone > 150e6, f"{gone / 1e6:.0f} MB"
    assert (PACKAGES / "torch" / "bin" / "torch_shm_manager").exists() and (PACKAGES / "pip").exists()
    call = [sys.executable, "-S", "-c", CODE, str(target)]
    done = subprocess.run(call, cwd=ROOT, env={**os.environ, "PYTHONPATH": ""}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def size(folder: Path) -> int:
    return sum(os.lstat(os.path.join(where, name)).st_size for where, _, names in os.walk(folder) for name in names)


@pytest.mark.parametrize(("base", "path"), [("", "/"), ("tropviz", "/tropviz/"), ("/a/b/", "/a/b/")])
def test_the_health_check_follows_the_path(monkeypatch, base, path):
    asked = []
    monkeypatch.setenv("STREAMLIT_SERVER_BASE_URL_PATH", base)
    monkeypatch.setattr("urllib.request.urlopen", lambda address, timeout: asked.append(address))
    exec(re.search(r'CMD \["python", "-c", "(.*)"\]$', TEXT, re.M)[1])
    assert asked == [f"http://127.0.0.1:8501{path}_stcore/health"]


def test_a_build_without_an_index_says_first_that_it_is_large():
    note = TEXT.index("several gigabytes to download")
    assert TEXT.index('if [ -z "${TORCH_INDEX_URL}" ]') < note < TEXT.index("bin/pip install")
