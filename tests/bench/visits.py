"""Does anything stay behind? ``python -m tests.bench.visits [--visits 500]``: pages opened and closed, one by one.

Each visit is a session of its own that opens a page, moves a slider and goes. After every tenth of them: what the
server and its workers hold, and its threads; the last line is of some time after the last visitor has gone. Kept
answers may fill 256 MB: ``--cache 20`` lets them hold 20 MB, so that whatever else stays behind shows.
"""

from __future__ import annotations

import random
import sys
import time

import click

from tests.bench.load import family, held, threads_of
from tests.bench.serve import PAGES, Client, server

#: Most visits: a bench, not a weapon.
MOST = 20_000


def visit(port: int, page: str, draw: random.Random) -> None:
    """Open a page, move its first slider, go."""
    client = Client(port, page, f"seed={draw.randrange(5)}&n={draw.randrange(4, 12)}")
    try:
        if client.sliders:
            label, (widget, fragment) = min(client.sliders.items())
            if label in ("Experts N", "Active experts k"):
                client.run({widget: draw.randrange(2, 9)}, fragment)
    finally:
        client.socket.close()


@click.command()
@click.option("--visits", type=click.IntRange(10, MOST), default=500, show_default=True)
@click.option("--cache", type=click.IntRange(1), default=256, show_default=True, help="MB of answers the server keeps.")
@click.option("--wait", type=click.IntRange(0, 600), default=60, show_default=True, help="Seconds after the last one.")
def main(visits: int, cache: int, wait: int) -> None:
    """Print memory and threads as the visits go on."""
    draw, failed = random.Random(0), 0
    with server("app.py", TROPVIZ_CACHE_BYTES=str(cache * 1_000_000)) as port:
        for i in range(visits + 1):
            if i % (visits // 10) == 0:
                print(f"{i:6} visits  {held(port):5} MB  {threads_of(port):3} threads  {len(family(port))} processes")
            if i < visits:
                try:
                    visit(port, PAGES[i % len(PAGES)], draw)
                except Exception as problem:
                    failed += 1
                    print(f"FAILED {PAGES[i % len(PAGES)] or 'fan'}: {type(problem).__name__}: {problem}"[:200])
        time.sleep(wait)
        print(f"{wait:4} s later     {held(port):5} MB  {threads_of(port):3} threads")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
