"""The command itself: every refusal is one sentence on standard error and exit code 2, never a traceback."""

from __future__ import annotations

import re
import sys
import warnings
from typing import NoReturn

import click

from tropviz.cli.app import app
from tropviz.cli.capacity import capacity
from tropviz.cli.capture import capture
from tropviz.cli.cells import cells
from tropviz.cli.collapse import collapse
from tropviz.cli.hypersimplex import hypersimplex
from tropviz.cli.regions import regions
from tropviz.cli.report import report
from tropviz.cli.routers import routers
from tropviz.cli.slice_law import slice_law
from tropviz.cli.sweep import sweep
from tropviz.cli.train import train
from tropviz.io.text import shown
from tropviz.version import __version__

#: Long words, long numbers, and long texts in quotation marks: what somebody typed, not what we say.
_LONG = r"(?<=[ (])'[^']{41,}'|\d{41,}|\S{100,}"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tropviz")
def cli() -> None:
    """See how a Mixture-of-Experts router cuts up space."""


#: A new command is a file beside this one and an entry here.
for command in (
    cells,
    routers,
    capture,
    report,
    regions,
    hypersimplex,
    capacity,
    slice_law,
    collapse,
    sweep,
    train,
    app,
):
    cli.add_command(command)


def main() -> None:
    """Run; every refusal is one sentence on standard error and exit code 2, never a traceback."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # numpy's overflow notes are no sentences for a person
            status = cli(standalone_mode=False)  # click itself leaves quietly when the reader of a pipe has gone
    except click.exceptions.NoArgsIsHelpError as help_text:
        _fail(help_text.format_message(), 2)
    except click.ClickException as problem:
        _fail(f"tropviz: {_usage(problem)}", 2)
    except (click.exceptions.Abort, KeyboardInterrupt):
        _fail("tropviz: stopped.", 130)
    except (ValueError, OSError) as problem:
        _fail(f"tropviz: {_brief(str(problem))}", 2)
    except MemoryError:
        _fail("tropviz: there is not enough memory for this: choose smaller sizes.", 2)
    except Exception as problem:  # a defect of ours; still no traceback
        _fail(f"tropviz: internal error ({type(problem).__name__}: {_brief(str(problem))}): please report it.", 70)
    else:
        if status:  # what a context's exit(n) gives
            sys.exit(status)


def _usage(problem: click.ClickException) -> str:
    """What click says, as one sentence with a remedy."""
    message = problem.format_message().rstrip(".?").replace(". Did you mean", ", did you mean")
    message = re.sub(r"\([^()]{41,}\)", lambda part: f"({shown(part.group()[1:-1])})", message)  # extra arguments
    context = getattr(problem, "ctx", None)
    return f"{_brief(message)}: see {context.command_path if context else 'tropviz'} --help."


def _brief(message: str) -> str:
    """A message on one line, with the long words in it, which are somebody's input, cut."""
    return shown(re.sub(_LONG, lambda word: shown(word.group()), message), 1000)


def _fail(message: str, code: int) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(code)
