"""Is anything too much? ``python -m tests.bench.limits [--links 400] [--seconds 1200] [--seed 0] [--page fan]``.

One visitor of a server opens links that put properties of the scene at their limits (one by one from a small and from
the largest scenes, then two at a time), waits until the page has nothing more to do, and presses every button and every
download of it. For each step it is noted what the server's own process spent on it and how much its memory rose, how
large the largest message was, and what ended in a red box. Heavy work is done by workers, which have budgets of their
own; here it is seen whether it gets there.

All single steps take about an hour, all pairs a day: they come in a random order, as many as there is time for.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import click
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.bench.load import cpu, family, status
from tests.bench.serve import PAGES, Client, server
from tropviz.ui.scene import ROWS, Scene
from tropviz.ui.scene.board import FAILED
from tropviz.ui.scene.rows import Row
from tropviz.ui.server import SORRY

#: What one step may cost the server's own process: seconds of processor, megabytes, and bytes of one message.
SECONDS, MEGABYTES, BYTES = 1.0, 200, 2_000_000
#: Seconds for which a page may have more to do before it is left, as somebody would who does not want to wait.
PATIENCE = 30.0
#: Scenes from which one property is moved: what a visit opens on, the widest routers, and the most cells of all.
BASES: tuple[dict[str, Any], ...] = (
    {},
    {"n": 256, "k": 128, "h": 256},
    {"n": 256, "k": 8, "h": 64},
    {"n": 256, "k": 255, "h": 1},
    {"n": 64, "k": 32, "h": 32, "dim": "3"},
    {"n": 24, "k": 12, "h": 256},
    {"n": 2, "k": 1, "h": 1},
)
#: Of a free property: what its readers take, and what they do not.
TEXTS = (
    "0-1",
    "7-3",
    "0.5_-1.2",
    "1.15_-1_0.9",
    "-1_1_0_2",
    "1e300_-1e300",
    "steps.5000_N.16_H.64_at.5000",
    "x" * 3000,
)


def extremes(row: Row, values: dict[str, Any]) -> list[Any]:
    """The ends of a property, or all it may be."""
    if row.choices:
        return [choice for choice in row.choices if choice != "file"]
    if isinstance(row.default, str):
        return list(TEXTS)
    if isinstance(row.default, bool):
        return [False, True]
    return [type(row.default)(end) for end in dict.fromkeys(row.range(values))]


def rows_of(page: str) -> list[Row]:
    """What a link of a page carries; the page itself has no name in an address if it is the first."""
    name = page or "fan"
    return [row for row in ROWS if (not row.pages or name in row.pages) and row.name not in ("lang", "embed")]


def link(changes: dict[str, Any]) -> str:
    """The query string that asks for this, whether or not it can be had."""
    by_name = {row.name: row for row in ROWS}
    return urlencode({"v": "1", **{by_name[name].key: by_name[name].write(value) for name, value in changes.items()}})


def singles(page: str) -> Iterator[dict[str, Any]]:
    """Each base, and each property at each of its ends."""
    for base in BASES:
        yield base
        for row in rows_of(page):
            if row.name not in base:
                values = {**Scene.default().replace(**base)[0].values}
                for value in extremes(row, values):
                    yield {**base, row.name: value}


def pairs(page: str) -> Iterator[dict[str, Any]]:
    """Each two properties at their ends."""
    values = {**Scene.default().values}
    for one, other in itertools.combinations(rows_of(page), 2):
        for first, second in itertools.product(extremes(one, values), extremes(other, values)):
            yield {one.name: first, other.name: second}


@dataclass
class Found:
    """What one step cost the server's process, and what was wrong with it; `clock`: for how long it was waited for."""

    step: str
    seconds: float
    megabytes: float
    bytes: int
    visitor: Visitor | None
    clock: float
    wrong: list[str] = field(default_factory=list)


class Visitor(Client):
    """A client that looks at every message, and presses what there is to press."""

    def __init__(self, port: int, page: str, query: str) -> None:
        self.largest, self.red = 0, list[str]()
        self.buttons: dict[str, tuple[str, str]] = {}
        self.files: dict[str, str] = {}
        super().__init__(port, page, query)

    def _learn(self, found: ForwardMsg) -> None:
        super()._learn(found)
        self.largest = max(self.largest, found.ByteSize())
        if found.backend_operation_response.error_msg:
            self.red.append(found.backend_operation_response.error_msg)
        if found.WhichOneof("type") != "delta" or found.delta.WhichOneof("type") != "new_element":
            return
        element = found.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.red.append(f"{element.exception.type}: {element.exception.message}"[:200])
        elif kind == "html":
            self.red += [words for words in (SORRY, FAILED) if words in element.html.body]
        elif kind == "button" and not element.button.disabled:
            self.buttons[element.button.id] = (element.button.label, found.delta.fragment_id)
        elif kind == "download_button" and element.download_button.deferred_file_id:
            self.files[element.download_button.label] = element.download_button.deferred_file_id

    def press(self, button: str, fragment: str) -> None:
        """Press a button."""
        message = BackMsg()
        message.rerun_script.fragment_id, message.rerun_script.page_script_hash = fragment, self.hash
        message.rerun_script.query_string = self.query
        message.rerun_script.widget_states.widgets.add(id=button).trigger_value = True
        self.send(message)

    def fetch(self, file: str) -> None:
        """Have a file made."""
        message = BackMsg()
        asked = message.backend_operation_request
        asked.request_id, asked.session_id, asked.deferred_file.file_id = "1", self.session, file
        self.send(message, "backend_operation_response")


class Audit:
    """One server, and what its own process spends on each step of one visitor."""

    def __init__(self, port: int) -> None:
        self.port, self.process = port, family(port)[0]

    def step(self, name: str, act: Callable[[], Any], visitor: Visitor | None = None) -> Found:
        """Do something, and note what it costs."""
        Path(f"/proc/{self.process}/clear_refs").write_text("5")  # its highest memory is that of now
        used, held, wrong = cpu(self.port), status(self.process, "VmRSS"), []
        start = time.monotonic()
        if visitor is not None:
            visitor.largest = 0
            visitor.red.clear()
        try:
            visitor = act() or visitor
        except Exception as problem:
            wrong.append(f"{type(problem).__name__}: {problem}"[:200])
        seconds, megabytes = cpu(self.port) - used, (status(self.process, "VmHWM") - held) / 1024
        found = Found(name, seconds, megabytes, visitor.largest if visitor else 0, visitor, time.monotonic() - start)
        found.wrong = [*wrong, *(visitor.red if visitor else ())]
        found.wrong += [f"{found.seconds:.2f} s"] * (seconds > SECONDS) + [f"{megabytes:.0f} MB"] * (
            megabytes > MEGABYTES
        )
        found.wrong += [f"a message of {found.bytes / 1e6:.1f} MB"] * (found.bytes > BYTES)
        return found

    def page(self, page: str, query: str, press: bool) -> Iterator[Found]:
        """Open a link, let the page finish as when a hand rests, and press what it has."""
        name = f"{page or 'fan'}?{query}"[:300]
        found = self.step(name, lambda: Visitor(self.port, page, query))
        visitor = found.visitor
        yield found
        if visitor is None:
            return
        try:
            yield from self._finished(name, visitor)
            for label, file in dict(visitor.files).items() if press else ():
                yield self.step(f"{name} file {label}", partial(visitor.fetch, file), visitor)
            for button, (label, fragment) in dict(visitor.buttons).items() if press else ():
                yield self.step(f"{name} button {label}", partial(visitor.press, button, fragment), visitor)
                yield from self._finished(f"{name} button {label}", visitor)
        finally:
            visitor.socket.close()

    def _finished(self, name: str, visitor: Visitor) -> Iterator[Found]:
        until = time.monotonic() + PATIENCE
        while visitor.told.get("more") and visitor.beacon[0] and time.monotonic() < until:
            yield self.step(f"{name} rest", lambda: visitor.event("rest", canvas="", of="") and None, visitor)


def work(draw: random.Random, only: str | None) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Pages, what is changed, and whether everything is pressed: the bases, the single steps, then pairs for ever."""
    pages = [page for page in PAGES if only is None or (page or "fan") == only]
    yield from ((page, base, True) for page in pages for base in BASES)
    each = [(page, changes, False) for page in pages for changes in singles(page)]
    draw.shuffle(each)
    yield from each
    twos = [(page, changes, False) for page in pages for changes in pairs(page)]
    draw.shuffle(twos)
    yield from twos


@click.command()
@click.option("--links", type=click.IntRange(1), default=1_000_000, help="At most so many.")
@click.option("--seconds", type=click.IntRange(1), default=1200, show_default=True, help="For so long.")
@click.option("--seed", default=0, show_default=True, help="Of the order.")
@click.option("--page", "only", type=click.Choice([page or "fan" for page in PAGES]), help="On one page only.")
@click.option("--skip", type=click.IntRange(0), default=0, help="Links that were tried before, in the same order.")
def main(links: int, seconds: int, seed: int, only: str | None, skip: int) -> None:
    """Print what is too much; exit code 1 if anything is."""
    until, tried, steps, bad = time.monotonic() + seconds, 0, list[Found](), 0
    with server("app.py") as port:
        audit = Audit(port)
        for page in PAGES:
            Visitor(port, page, "v=1").socket.close()  # imports
        for page, changes, press in itertools.islice(work(random.Random(seed), only), skip, skip + links):
            if time.monotonic() > until:
                break
            tried += 1
            for found in audit.page(page, link(changes), press):
                found.visitor = None
                steps.append(found)
                if found.wrong:
                    bad += 1
                    print(f"TOO MUCH {'; '.join(found.wrong)}: {found.step}", flush=True)
    print(f"{tried} links, {len(steps)} steps, {bad} too much")
    for name in ("seconds", "megabytes", "bytes", "clock"):
        for found in sorted(steps, key=attrgetter(name), reverse=True)[:5]:
            print(f"{name:10} {getattr(found, name):12.2f} {found.step}")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
