"""``capture``: saved inputs of one router, routed; can be stopped and gone on with."""

from __future__ import annotations

import signal
from typing import Any

import click

from tropviz.cli.values import WHOLE, emit, output_of


@click.command()
@click.argument("path")
@click.argument("states")
@click.option("--layer", type=WHOLE, help="The layer whose gate read them, where the checkpoint has several.")
@click.option("--tensor", help="The tensor that is the gate, for models that are not known.")
@click.option("--rule", help="Choose like this model type, or plain (top-k of W x), instead of what config.json says.")
@click.option("-k", "active", type=WHOLE, help="Active experts, where no config says so.")
@click.option("--seed", type=WHOLE, default=0, show_default=True, help="Of the sample of 10,000 tokens.")
@click.option("--shard", type=WHOLE, default=0, show_default=True, help="A number of its own for each part of one run.")
@click.option("-o", "output", default="capture.npz", show_default=True, help="What `report` reads, and merges.")
def capture(
    path: str,
    states: str,
    layer: int | None,
    tensor: str | None,
    rule: str | None,
    active: int | None,
    seed: int,
    shard: int,
    output: str,
) -> None:
    """Route STATES (npy, one row a token, of any length) by one router of the checkpoint at PATH.

    Progress on standard error. Stopped with Ctrl-C, or cut off, it goes on where it was when it is called again.
    """
    from tropviz.core.capture import of_states
    from tropviz.io.checkpoints import read_checkpoint
    from tropviz.io.traces import read_states

    file = output_of(output, [".npz"])
    gates = read_checkpoint(path, layer=layer, tensor=tensor, rule=rule, k=active)
    if len(gates) != 1:
        raise ValueError(f"The checkpoint has {len(gates)} such routers: choose one with --layer or --tensor.")
    asked: list[Any] = []
    before = signal.signal(signal.SIGINT, lambda *_: asked.append(True))

    def progress(share: float) -> None:
        click.echo(f"\r{share:.1%}", err=True, nl=False)
        if asked:
            raise KeyboardInterrupt

    try:
        kept = file.with_name(f"{file.name}.part")
        seen = of_states(gates, [read_states(states)], seed=seed, shard=shard, progress=progress, keep=kept)
    finally:
        signal.signal(signal.SIGINT, before)
        click.echo(err=True)
    seen.save(file)
    emit({"tokens": seen.layers[0].n, "router": gates[0].name, "file": str(file)})
