"""``app``: the dashboard."""

from __future__ import annotations

import os
import subprocess
import sys

import click

from tropviz.cli.values import WHOLE
from tropviz.home import HOME


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--port", type=WHOLE, default=8501, show_default=True, help="Where the browser finds it.")
@click.option("--address", default="localhost", show_default=True, help="0.0.0.0: from other machines too.")
@click.option("--headless", is_flag=True, help="Do not open a browser.")
@click.argument("rest", nargs=-1, type=click.UNPROCESSED)
def app(port: int, address: str, headless: bool, rest: tuple[str, ...]) -> None:
    """Start the dashboard; further options go to Streamlit as they stand, such as --server.baseUrlPath=x."""
    if not 0 < port < 65536:
        raise ValueError(f"--port is {port}: give a number from 1 to 65535.")
    options = [f"--server.port={port}", f"--server.address={address}", f"--server.headless={str(headless).lower()}"]
    call = [sys.executable, "-m", "streamlit", "run", "app.py", *options, *rest]
    # In the app's own folder: that is where Streamlit looks for its settings.
    path = os.pathsep.join(p for p in (str(HOME), os.environ.get("PYTHONPATH", "")) if p)
    sys.exit(subprocess.call(call, cwd=HOME, env={**os.environ, "PYTHONPATH": path}))
