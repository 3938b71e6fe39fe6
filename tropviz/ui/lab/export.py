"""The report of the router in view, as `tropviz report` writes it."""

from __future__ import annotations

import json
from typing import Any

from tropviz.core.capture import Capture
from tropviz.io.write import table_csv
from tropviz.language import say, speaking
from tropviz.report import as_json, numbers, page, table
from tropviz.ui.lab import health, model
from tropviz.ui.later import save_menu
from tropviz.ui.scene import Scene


def captured(scene: Scene) -> Capture:
    """All of the model's capture, or the layer in view with the session's tokens."""
    thing = model.model_of(scene)
    if thing.capture is not None:
        return thing.capture
    found = health.health(scene)
    if found is None:
        raise ValueError(say("There are no tokens to report on: upload some."))
    return Capture((found.layer,), found.sources)


def told(scene: Scene) -> dict[str, Any]:
    """What a report tells."""
    other = scene.own_other
    return numbers(captured(scene), None if other is None else other.capture)


def as_html(scene: Scene) -> str:
    """The report that needs no network."""
    with speaking(scene.lang):
        return page(captured(scene), told(scene), say(model.model_of(scene).name))


def as_text(scene: Scene) -> str:
    """The same numbers as JSON."""
    return json.dumps(as_json(told(scene)), allow_nan=False, indent=1)


def as_csv(scene: Scene) -> str:
    """One line a layer."""
    return table_csv(*table(told(scene)))


def menu() -> None:
    """Files to take away."""
    save_menu(
        say("Save the report"),
        (
            (say("Report as HTML"), as_html, "report.html", "text/html"),
            (say("Numbers as JSON"), as_text, "report.json", "application/json"),
            (say("Numbers as CSV"), as_csv, "report.csv", "text/csv"),
        ),
    )
