"""The house itself: layout, import direction, pins, the two commands, the image, documentation."""

from __future__ import annotations

import ast
import fnmatch
import importlib
import inspect
import json
import os
import pkgutil
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import click
import grimp
import pytest

import tropviz

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
TOP = {
    *(".ci", ".dockerignore", ".gitignore", ".pre-commit-config.yaml", ".streamlit", "CHANGELOG.md", "Dockerfile"),
    *("LICENSE", "README.md", "app.py", "assets", "pages", "pyproject.toml", "requirements.lock"),
    *("requirements.txt", "tests", "tropviz"),
}


def tracked() -> list[str]:
    """Files of the project: what git tracks; without git, all but what .gitignore names."""
    try:
        call = ["git", "ls-files", "-z"]
        out = subprocess.run(call, cwd=ROOT, capture_output=True, check=True, text=True).stdout
        return [name for name in out.split("\0") if name and (ROOT / name).exists()]
    except (FileNotFoundError, subprocess.CalledProcessError):
        ignored = [ln.strip("/") for ln in (ROOT / ".gitignore").read_text().splitlines()] + [".git"]
        files = (p.relative_to(ROOT) for p in ROOT.rglob("*") if p.is_file())
        return [f.as_posix() for f in files if not any(fnmatch.fnmatch(x, i) for x in f.parts for i in ignored)]


def test_top_level_holds_what_it_should_and_no_more():
    assert {name.split("/")[0] for name in tracked()} - TOP == set(), "move it into a folder, or add it to TOP here"
    for name in ("app.py", "pages", "tropviz", "tests", "assets", "README.md", "Dockerfile", ".ci/run"):
        assert (ROOT / name).exists(), name


def test_import_direction():
    done = subprocess.run([BIN / "lint-imports"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_module_needs_itself():
    """No circle of imports, in methods or elsewhere; imports for types alone are let off."""
    graph = grimp.build_graph("tropviz", "pages", exclude_type_checking_imports=True)
    needs = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(needs).prepare()  # raises CycleError, which names the circle


def test_core_is_imported_without_screen_or_torch():
    """The first picture must not wait for torch, and the core must run where no streamlit is."""
    code = "import sys, tropviz; print(*sorted({'torch', 'streamlit', 'plotly'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_nothing_of_one_machine_is_in_the_project():
    # Written with a gap so that this file passes its own test.
    hosts = ["pythonhosted .org", "pypi .org", "download .pytorch", "registry .npmjs", "deb .debian", "ghcr .io"]
    folders = ["/ work/", "/ root/", "/ home/", "/opt/ pypi", "../ shared"]
    words = [word.replace(" ", "") for word in hosts + folders]
    for name in tracked():
        data = (ROOT / name).read_bytes()
        if b"\0" not in data:
            text = data.decode("utf-8")
            assert [w for w in words if w in text] == [], f"{name} names a place that only one machine has"


def test_no_file_is_large():
    sizes = {name: (ROOT / name).stat().st_size for name in tracked()}
    assert {n: s for n, s in sizes.items() if s > 400_000} == {}, "split it, or let a script make it"


def test_no_function_is_long():
    """What has more than 60 lines below its docstring does two things."""
    long = {}
    for path in sorted((ROOT / "tropviz").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                body = node.body[ast.get_docstring(node) is not None :]
                lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                if lines > 60:
                    long[f"{path.relative_to(ROOT)}: {node.name}"] = lines
    assert long == {}


@pytest.mark.parametrize("name", ["requirements.txt", "tests/requirements.txt"])
def test_requirements_are_pinned(name):
    for line in (ROOT / name).read_text().splitlines():
        if line.strip() and not line.startswith(("#", "-r ")):
            assert re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][\w.]*", line), f"{line}: give its version, as name==1.2.3"


def test_every_import_is_required_by_name():
    """What the package imports is in requirements.txt, not only installed by accident."""
    names = {"torch", "numpy", "scipy", "shapely", "plotly", "streamlit", "click", "safetensors", "segno"}
    names |= {"babel"}
    pinned = {line.split("==")[0] for line in (ROOT / "requirements.txt").read_text().splitlines() if "==" in line}
    found = set()
    for name in tracked():
        if name.startswith(("tropviz/", "pages/", "app.py")) and name.endswith(".py"):
            text = (ROOT / name).read_text(encoding="utf-8")
            found |= set(re.findall(r"^\s*(?:from|import) ([a-z_0-9]+)", text, re.M))
    foreign = {m for m in found if m not in sys.stdlib_module_names and m not in ("tropviz", "pages")}
    assert foreign - (names & pinned) == set(), "pin it in requirements.txt and pyproject.toml, and name it here"


def commands() -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    return [block.strip() for block in blocks[:2]]


def test_the_readmes_two_commands_are_one_line_each_and_ci_runs_the_second():
    start, test = commands()
    assert "\n" not in start and "requirements.txt" in start and start.endswith("streamlit run app.py")
    assert "\n" not in test and "pytest" in test
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert lines[-1] == test and lines.count("set -euo pipefail") == 1
    for check in ("ruff check .", "mypy", "lint-imports", "hadolint Dockerfile"):
        assert f".venv/bin/{check}" in lines


@pytest.mark.parametrize("name", [".ci/run", "tests/setup.sh"])
def test_scripts_parse(name):
    subprocess.run(["bash", "-n", ROOT / name], check=True)
    assert (ROOT / name).read_text().startswith("#!/usr/bin/env bash\n")


def test_readme_names_what_exists():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    from tropviz.cli import cli

    for command in re.findall(r"python -m tropviz ([a-z-]+) ", text):
        assert command in cli.commands, command
    assert [n for n in cli.commands if f"tropviz {n}" not in text] == [], "a command needs a line in the README"
    for path in re.findall(r"`((?:tropviz|tests|assets|pages)/[\w./-]*)`|\]\(((?!http)[^)#]+)\)", text):
        assert (ROOT / (path[0] or path[1])).exists(), path
    for names in re.findall(r"^from tropviz import (.*)$", text, re.M):
        assert all(hasattr(tropviz, name) for name in names.split(", ")), names


def fenced(section: str, language: str) -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8").split(f"## {section}")[1]
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)[0]


def test_the_readmes_python_runs_as_it_stands():
    exec(compile(fenced("In Python", "python"), "README.md", "exec"), {})


@pytest.mark.parametrize("line", fenced("In the shell", "bash").splitlines())
def test_the_readmes_commands_run_as_they_stand(line):
    call = line.split()
    assert call[0] == "python"
    done = subprocess.run([sys.executable, *call[1:]], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) and not done.stderr


def test_readme_knows_every_parameter_of_a_link_and_its_default():
    from tropviz.ui.scene import ROWS, VERSION

    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## In a link")[1].split("##")[0]
    lines = [ln for ln in table.splitlines() if ln.startswith("| `")]
    told = Counter(re.findall(r"`(\w+=\S*)`", "\n".join(lines)))
    held = Counter(f"{row.key}={row.write(row.default)}" for row in ROWS)
    assert (list(held - told), list(told - held)) == ([], []), (
        "the README's table of links lacks the first, not the second"
    )
    for row in ROWS:
        line = next(ln for ln in lines if f"`{row.key}=" in ln)
        unsaid = [choice for choice in row.choices or () if not re.search(rf"\b{re.escape(choice)}\b", line)]
        assert unsaid == [], f"the README's line of {row.key}= does not name these choices of {row.name}"
    assert f"`v={VERSION}`" in table


def test_what_lies_in_a_folder_of_pages_or_commands_is_listed():
    from tropviz.cli import cli
    from tropviz.ui.shell import PAGES

    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "pages").glob("[!_]*.py")}
    assert there == {file for _, file, *_ in PAGES}, "a page is listed in PAGES of tropviz/ui/shell.py"
    made = {
        name
        for path in (ROOT / "tropviz" / "cli").glob("*.py")
        for name, thing in vars(importlib.import_module(f"tropviz.cli.{path.stem}")).items()
        if isinstance(thing, click.Command) and thing is not cli and thing not in cli.commands.values()
    }
    assert made == set(), "a command is added in tropviz/cli/command.py"


# --- the image --------------------------------------------------------------------------------------------------------


def copied() -> list[str]:
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.M)
    return [name for line in lines for name in line.split()]


def test_hadolint_has_nothing_to_say():
    done = subprocess.run([BIN / "hadolint", "Dockerfile"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "", done.stdout


def test_dockerfile_keeps_its_promises():
    text = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^ARG BASE=", text, re.M) and re.search(r'^ARG TORCH_INDEX_URL=""$', text, re.M)
    assert re.search(r"^USER \d+:\d+$", text, re.M)
    assert re.search(r'^HEALTHCHECK .*\\\n +CMD \["python".*_stcore/health', text, re.M)
    assert "://" not in text.replace("http://127.0.0.1", "")


def test_dockerignore_lets_in_exactly_what_is_copied():
    lines = [ln for ln in (ROOT / ".dockerignore").read_text().splitlines() if ln and not ln.startswith("#")]
    assert lines[0] == "*"
    assert sorted(ln[1:] for ln in lines if ln.startswith("!")) == sorted(copied())


@pytest.fixture(scope="module")
def image(tmp_path_factory) -> Path:
    """The image without docker: only what COPY names, in another folder."""
    folder = tmp_path_factory.mktemp("image")
    for name in tracked():
        if any(name == c or fnmatch.fnmatch(name, c + "/*") for c in copied()):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)
    return folder


ALONE = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}


def test_every_page_runs_from_the_copied_files_alone(image):
    code = """
import sys, tropviz
from streamlit.testing.v1 import AppTest
from tropviz.io import digits
at = AppTest.from_file("app.py", default_timeout=120).run()
from tropviz.ui.shell import PAGES
from pathlib import Path
for _, page, *_ in PAGES:
    if Path(page).exists():
        at.switch_page(page).run()
        assert not at.exception, (page, at.exception)
assert tropviz.__file__.startswith(sys.argv[1]) and len(digits().labels) == 1797
"""
    call = [sys.executable, "-c", code, str(image)]
    done = subprocess.run(call, cwd=image, env=ALONE, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-6000:]


def test_the_images_commands_start_a_server_that_its_health_check_finds(image):
    text = (ROOT / "Dockerfile").read_text()
    check, start = (json.loads(c) for c in re.findall(r"CMD (\[.*\])$", text, re.M))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    call = [BIN / start[0], *(word.replace("8501", port).replace("0.0.0.0", "127.0.0.1") for word in start[1:])]
    health = [sys.executable, *(word.replace("8501", port) for word in check[1:])]
    server = subprocess.Popen(call, cwd=image, env=ALONE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        for _ in range(60):  # as the container's own health check: try again a moment later
            if (done := subprocess.run(health, capture_output=True)).returncode == 0:
                break
            assert server.poll() is None, server.stdout.read().decode()
        assert done.returncode == 0, done.stderr.decode()
    finally:
        server.terminate()
        server.wait(timeout=20)
    assert subprocess.run(health, capture_output=True).returncode != 0


def test_upload_limits_agree():
    from tropviz.io import MAX_FILE_BYTES

    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["server"]["maxUploadSize"] * 1_000_000 == MAX_FILE_BYTES
    assert config["browser"]["gatherUsageStats"] is False


# --- documentation ----------------------------------------------------------------------------------------------------


def modules():
    for info in pkgutil.walk_packages(tropviz.__path__, "tropviz."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def test_everything_public_is_documented():
    missing = []
    for module in modules():
        if not module.__doc__:
            missing.append(module.__name__)
        for name, thing in vars(module).items():
            own = getattr(thing, "__module__", "") == module.__name__
            if name.startswith("_") or not own or not (inspect.isclass(thing) or inspect.isfunction(thing)):
                continue
            if not inspect.getdoc(thing):
                missing.append(f"{module.__name__}.{name}")
    assert missing == [], "write what it does in its docstring"


def test_the_public_api_has_running_examples():
    missing = [
        name
        for name in tropviz.__all__
        if inspect.isclass(getattr(tropviz, name)) and ">>>" not in (getattr(tropviz, name).__doc__ or "")
    ]
    assert missing == [], "give its docstring an example (>>>)"


# --- the package ------------------------------------------------------------------------------------------------------


def test_the_package_asks_for_what_the_app_is_pinned_to():
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    pinned = [line for line in lines if line.strip() and not line.startswith("#")]
    assert sorted(asked) == sorted(pinned), "requirements.txt, and dependencies in pyproject.toml"
