"""``routers``: every router of a checkpoint."""

from __future__ import annotations

from typing import Any

import click

from tropviz.cli.values import WHOLE, emit


@click.command()
@click.argument("path")
@click.option("--layer", type=WHOLE, help="Only this layer.")
@click.option("--tensor", help="Only tensors of this name, * for anything; needed for models that are not known.")
@click.option("--rule", help="Choose like this model type, or plain (top-k of W x), instead of what config.json says.")
@click.option("-k", "active", type=WHOLE, help="Active experts, where no config says so.")
@click.option("--cells", "counted", is_flag=True, help="Also how many cells each has in its own dimension.")
def routers(
    path: str, layer: int | None, tensor: str | None, rule: str | None, active: int | None, counted: bool
) -> None:
    """List the routers of a checkpoint: a folder, an index file or one shard, of any size; only gates are read."""
    from tropviz.core.gates import KINDS
    from tropviz.io.checkpoints import read_checkpoint

    rows = []
    for gate in read_checkpoint(path, layer=layer, tensor=tensor, rule=rule, k=active):
        row: dict[str, Any] = {"layer": gate.layer, "side": gate.side, "name": gate.name, "N": gate.N, "d": gate.d}
        row |= {"k": gate.k, "class": gate.kind, "meaning": gate.rule.refused or KINDS[gate.kind], "note": gate.note}
        row |= {"score": gate.rule.score, "groups": gate.rule.groups, "groups_kept": gate.rule.kept}
        if counted and gate.exact:
            from tropviz.core.fan.routing_fan import RoutingFan

            row["cells"] = RoutingFan(gate.router()).count.to_json()
        rows.append(row)
    emit({"routers": rows})
