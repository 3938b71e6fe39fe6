"""The same core from the shell: JSON on standard output, messages on standard error, exit 2 on bad input."""

from __future__ import annotations

import json
import sys
from typing import Any

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """See how a Mixture-of-Experts router cuts up space."""


def emit(result: dict[str, Any]) -> None:
    """Print one JSON object; NaN and infinity never reach it (they are null with a reason)."""
    click.echo(json.dumps(result, allow_nan=False))


def main() -> None:
    """Run; every refusal is one sentence on standard error and exit code 2."""
    try:
        cli(standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except (click.ClickException, ValueError, OSError) as problem:
        message = problem.format_message() if isinstance(problem, click.ClickException) else str(problem)
        click.echo(f"tropviz: {message}", err=True)
        sys.exit(2)
