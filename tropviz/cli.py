"""The same core from the shell: JSON on standard output, messages on standard error, exit 2 on bad input."""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

import click

from tropviz.io.text import number, quoted, shown, whole


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """See how a Mixture-of-Experts router cuts up space."""


class _Number(click.ParamType):
    """A number in ASCII digits, echoed in short when it is none."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name, self.read = name, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.read(value) if isinstance(value, str) else value
        except ValueError:
            self.fail(f"{quoted(value)} is not a valid {self.name}.", param, ctx)


#: Long words, long numbers, and long texts in quotation marks: what somebody typed, not what we say.
_LONG = r"(?<=[ (])'[^']{41,}'|\d{41,}|\S{100,}"
WHOLE, REAL = _Number("integer", whole), _Number("float", number)


def emit(result: dict[str, Any]) -> None:
    """Print one JSON object; NaN and infinity never reach it (they are null with a reason)."""
    try:
        text = json.dumps(result, allow_nan=False)
    except ValueError:
        raise ValueError("A result is beyond the range of numbers: choose inputs nearer to 1.") from None
    click.echo(text)


def window_of(text: str | None) -> Any:
    """A window option: one number a for [-a, a] on every axis, or low:high,low:high, one pair per axis.

    >>> window_of("3"), window_of("0:1,-2:2"), window_of(None)
    (3.0, [[0.0, 1.0], [-2.0, 2.0]], None)
    """
    if text is None:
        return None
    try:
        if ":" not in text:
            return number(text)
        return [[number(end) for end in axis.split(":")] for axis in text.split(",")]
    except ValueError:
        raise ValueError(f"--window is {quoted(text)}: give a number a for [-a, a], or low:high,low:high.") from None


@cli.command()
@click.argument("file")
@click.option("-k", "active", type=WHOLE, help="Number of active experts; by default what the file says, else 2.")
@click.option("--list", "listed", is_flag=True, help="Also every active set and the pairs of neighbours.")
@click.option("--window", help="Also the size of each cell in it: 3 for [-3, 3], or 0:1,-2:2. In d = 3 it is 3.")
def cells(file: str, active: int | None, listed: bool, window: str | None) -> None:
    """Count the cells of a router FILE (json, npz, npy, csv, safetensors, pt), in any dimension, exactly.

    In three dimensions volumes in the window are added, and solid angles where the router has no bias.
    """
    from tropviz.core.fan import RoutingFan
    from tropviz.io.read import read_router
    from tropviz.io.write import cells_report

    router = read_router(file).router(active)
    box = window_of(window if window is not None or router.d != 3 else "3")
    emit(cells_report(RoutingFan(router), listed=listed, window=box))


@cli.command()
@click.argument("file")
@click.option("-k", "active", type=WHOLE, help="Number of active experts; by default what the file says, else 2.")
@click.option("--window", help="3 for (-3, 3) on every axis, or 0:1,-2:2; by default the whole space.")
def regions(file: str, active: int | None, window: str | None) -> None:
    """Count the linear regions of a layer FILE (W, b, k, U, c; a dense layer has no W), d = 1, 2, 3, exactly."""
    from tropviz.io.read import read_layer

    layer = read_layer(file).layer(active)
    emit(layer.report(window_of(window)))


@cli.command()
@click.option("-N", "experts", type=WHOLE, required=True, help="Number of experts.")
@click.option("-k", "active", type=WHOLE, required=True, help="Number of active experts.")
@click.option("--cone", "chosen", help="Also the normal cone of this active set, such as 0,3.")
def hypersimplex(experts: int, active: int, chosen: str | None) -> None:
    """Delta(k,N), the polytope behind top-k routing: faces, volume, one normal cone. Exact at any size."""
    from tropviz.core.hypersimplex import Hypersimplex, summary

    polytope = Hypersimplex(experts, active)
    result = summary(polytope)
    if chosen is not None:
        try:
            members = [whole(i) for i in chosen.split(",")]
        except ValueError:
            what = f"--cone is {quoted(chosen)}"
            raise ValueError(f"{what}: give expert numbers with commas between them, as 0,3.") from None
        generators, walls = polytope.normal_cone(members)
        result["cone"] = {"active_set": sorted(members), "generators": generators.tolist(), "walls": walls.tolist()}
    emit(result)


@cli.command()
@click.option("-N", "experts", type=WHOLE, required=True, help="Number of experts.")
@click.option("-k", "active", type=WHOLE, required=True, help="Number of active experts.")
@click.option("-H", "width", type=WHOLE, required=True, help="Hidden units of an expert.")
@click.option("-d", "dimension", type=WHOLE, required=True, help="Dimension of the input, or of the flat slice.")
@click.option("--d-eff", "effective", type=WHOLE, help="Dimension of the data; by default -d.")
@click.option("-m", "pieces", type=WHOLE, help="Also the shape with every expert cut into this many.")
@click.option("--affine", is_flag=True, help="The laws for routers with Gaussian biases.")
def capacity(
    experts: int,
    active: int,
    width: int,
    dimension: int,
    effective: int | None,
    pieces: int | None,
    affine: bool,
) -> None:
    """Promise beside fact: every count that needs no weights, as exact integers of any size."""
    from tropviz.core.capacity import table, table_of_granularity

    rows = table(experts, active, width, dimension, effective, affine)
    result: dict[str, Any] = {name: count.to_json() for name, count in rows.items()}
    if pieces is not None:
        result["granularity"] = table_of_granularity(
            experts, active, width, pieces, dimension if effective is None else effective
        )
    emit(result)


@cli.command("slice-law")
@click.option("-N", "experts", type=WHOLE, required=True, help="Number of experts.")
@click.option("-k", "active", type=WHOLE, required=True, help="Number of active experts.")
@click.option("-d", "dimension", type=WHOLE, help="One dimension; by default all, until nothing is missing.")
@click.option("--affine", is_flag=True, help="A router with Gaussian biases.")
def slice_law(experts: int, active: int, dimension: int | None, affine: bool) -> None:
    """How many of the C(N,k) cells a random router is expected to keep in d dimensions."""
    from tropviz.core.slice_law import summary

    emit(summary(experts, active, dimension, affine))


@cli.command()
@click.argument("file")
@click.option("-k", "active", type=WHOLE, help="Number of active experts; by default what the file says, else 2.")
@click.option("--direction", required=True, help="Where the data moves, such as 0.6,0.8; its length does not matter.")
@click.option("--radius", type=REAL, required=True, help="Radius of the ball that holds the data, at least 0.")
@click.option("--offset", type=REAL, help="Also the cap, and in d = 2 the exact shares, at this offset.")
def collapse(file: str, active: int | None, direction: str, radius: float, offset: float | None) -> None:
    """From which offset on is a whole ball of data in one active set? For a router FILE, exactly."""
    from tropviz.core.collapse import report
    from tropviz.io.read import read_router

    try:
        u = [number(part) for part in direction.split(",")]
    except ValueError:
        what = f"--direction is {quoted(direction)}"
        raise ValueError(f"{what}: give numbers with commas between them, as 0.6,0.8.") from None
    emit(report(read_router(file).router(active), u, radius, offset))


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
