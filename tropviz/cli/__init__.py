"""The same core from the shell: JSON on standard output, messages on standard error, exit 2 on bad input."""

from tropviz.cli.command import cli, main

__all__ = ["cli", "main"]
