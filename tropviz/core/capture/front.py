"""``tropviz.capture``: a recorder of a model, and what one does with captures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tropviz.core.capture.record import Capture, load, merge, of_choices
from tropviz.core.capture.recorder import Recorder
from tropviz.core.capture.states import of_logits, of_states


class Front:
    """Record what the routers of a model see and choose.

    ``with capture(model) as c: model(...)`` hooks its gates, whatever library built the model: they are found by the
    model type in its config, or named, as ``capture(model, gates={"layers.0.gate": 2})``. ``c.save(path)`` writes what
    was seen; ``capture.load`` and ``capture.merge`` read and add captures; ``capture.of_choices``, ``of_states`` and
    ``of_logits`` make one of what was recorded without hooks.

    Parameters of a call
    --------------------
    model : torch.nn.Module
    gates : mapping of str to Gate or int, optional
        Module names, with the gate each is, or k for plain top-k of its weight.
    seed, shard : int
        Of the sample of 10,000 tokens; give each part of a run that is merged later its own shard.

    Examples
    --------
    >>> import torch
    >>> class Block(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.gate = torch.nn.Linear(3, 4)
    ...     def forward(self, x):
    ...         return self.gate(x)
    >>> model = Block()
    >>> with capture(model, gates={"gate": 2}) as c:
    ...     _ = model(torch.randn(5, 3))
    >>> c.capture.layers[0].n, int(c.capture.layers[0].load.sum())
    (5, 10)
    """

    merge = staticmethod(merge)
    load = staticmethod(load)
    of_choices = staticmethod(of_choices)
    of_states = staticmethod(of_states)
    of_logits = staticmethod(of_logits)
    Capture = Capture

    def __call__(
        self, model: Any, gates: Mapping[str, Any] | None = None, *, seed: int = 0, shard: int = 0
    ) -> Recorder:
        return Recorder(model, gates, seed=seed, shard=shard)


capture = Front()
