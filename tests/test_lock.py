"""The lock holds what requirements.txt asks for, with hashes, and nothing in it forbids its use."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
#: name -> (version, hashes)
LOCKED = {
    name: (version, re.findall(r"--hash=sha256:[0-9a-f]{64}\b", block))
    for name, version, block in re.findall(r"^([a-z0-9._-]+)==(\S+)(.*(?:\n .*)*)", LOCK, re.M)
}
#: Licences that let anybody use and pass on what they cover, as a part of anything.
FREE = re.compile(r"MIT|BSD|Apache|PSF|Zlib|CC0|BSL-1\.0|MPL[ -]?2\.0|Mozilla Public License 2\.0")


def pins() -> dict[str, str]:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if "==" in line and not line.startswith("#"))


def test_every_requirement_is_locked_at_its_version_with_hashes() -> None:
    wanted = {name: version for name, version in pins().items() if name != "torch"}
    assert {name: LOCKED[name][0] for name in wanted} == wanted
    assert len(LOCKED) > 30 and all(hashes for _, hashes in LOCKED.values())
    assert set(re.findall(r"^(\S+)==", LOCK, re.M)) == set(LOCKED)  # none is written in a way the line above misses


def test_torch_and_what_its_builds_bring_are_left_to_the_site() -> None:
    assert not {name for name in LOCKED if name.startswith(("torch", "triton", "nvidia", "cuda"))}
    assert {"sympy", "networkx", "jinja2", "fsspec", "filelock"} <= set(LOCKED), "what every build of torch needs"
    assert "://" not in LOCK


def test_pip_takes_the_lock() -> None:
    call = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--no-index", "--no-deps"]
    done = subprocess.run(
        [*call, "--require-hashes", "--ignore-installed", "-r", ROOT / "requirements.lock"],
        capture_output=True,
        text=True,
        env={"PIP_CONFIG_FILE": "/dev/null"},
    )
    assert "No matching distribution" in done.stderr  # it was read to the end; there is nothing to install from
    assert "hash" not in done.stderr.lower()


def test_the_image_takes_all_but_torch_from_the_lock() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    first, second = re.findall(r"bin/pip install (.*?--requirement /tmp/\S+)", text, re.S)
    assert "--require-hashes" in first and "--no-deps" in first and first.endswith("/tmp/requirements.lock")
    assert "${TORCH_INDEX_URL" in second and second.endswith("/tmp/requirements.txt")  # all but torch is there already


@pytest.fixture(scope="module")
def licences() -> dict[str, str]:
    call = [
        Path(sys.executable).parent / "pip-licenses",
        "--from=mixed",
        "--format=json",
        "--packages",
        *LOCKED,
        "torch",
    ]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    return {row["Name"]: row["License"] for row in json.loads(done.stdout)}


def test_every_dependency_has_a_licence_that_lets_it_be_passed_on(licences: dict[str, str]) -> None:
    assert len(licences) > 30
    assert {name: text for name, text in licences.items() if not FREE.search(text) or "GPL" in text} == {}
