"""The page: one HTML file that needs no network."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import plotly.io
from plotly.offline import get_plotlyjs

from tropviz.core.capture.chance import by_source, by_token
from tropviz.core.capture.compare import flow
from tropviz.core.capture.health import lift
from tropviz.core.capture.record import Capture
from tropviz.core.count import Count
from tropviz.figures.capture import flow_map, lift_map, load_map, source_map, strip
from tropviz.language import current, phrase, say
from tropviz.report.words import Row, agreed, dimension, percent, plain, verdict, why
from tropviz.version import __version__

#: Layers whose co-activation is drawn: the most uneven ones.
DRAWN = 4
#: What has no colour in a table against chance.
CHANCE = phrase("Without colour: what shuffled labels show as well, in 95 of 100 shuffles of the whole table.")

#: Name of a number, what it means, and how it is written.
LINES: tuple[tuple[str, str, str, Callable[[Row], str]], ...] = (
    ("agreement", "recomputed and captured choices that are equal", "sampled", lambda r: percent(agreed(r))),
    ("elsewhere", "tokens that plain top-k would send elsewhere", "sampled", lambda r: percent(r["elsewhere"])),
    ("load CV", "standard deviation of the experts' loads over their mean", "exact", lambda r: plain(r["load_cv"])),
    ("max / mean", "largest load over the mean", "exact", lambda r: plain(r["load_max_over_mean"])),
    ("dead", "experts never chosen: their share is below 3 / n with 95 %", "exact", lambda r: plain(r["dead"])),
    ("cold", "experts surely below a tenth of an even load", "sampled", lambda r: plain(r["cold"])),
    ("entropy", "of the loads, over log2 N", "exact", lambda r: plain(r["expert_entropy_relative"])),
    ("effective experts", "2 to the entropy of the loads", "exact", lambda r: plain(r["effective_experts"])),
    ("sets seen", "distinct active sets", "exact", lambda r: plain(r["sets_seen"])),
    (
        "at least",
        "Chao1 estimates this lower bound; more tokens raise it",
        "lower",
        lambda r: plain(r["sets_at_least"]),
    ),
    ("coverage", "tokens whose set has been seen (Good, Turing)", "sampled", lambda r: percent(r["coverage"])),
    ("fullest set", "tokens in the most frequent set", "sampled", lambda r: percent(r["fullest_set"])),
    ("|mean|² / E|x|²", "how far off-centre the inputs are", "exact", lambda r: plain(r["mean_square_share"])),
    ("in router space", "the same of what the router sees", "exact", lambda r: plain(r["mean_square_share_router"])),
    ("angle of the mean", "degrees to the router's space", "exact", lambda r: plain(r["mean_angle_degrees"])),
    ("t*", "certified, in router space; 1 is the present offset", "sampled", lambda r: plain(r["certified_offset"])),
    (
        "this sample",
        "offset from which it is in one set; 1 is the present one",
        "exact",
        lambda r: plain(r["sample_offset"]),
    ),
    ("margins", "5, 25, 50, 75, 95 % quantiles of the distance to a wall", "sampled", lambda r: plain(r["margins"])),
    (
        "near a wall",
        "scores within bfloat16 rounding of a wall",
        "sampled",
        lambda r: percent(r["near_a_wall_in_bf16"]),
    ),
    ("dimension", "TwoNN, 95 % interval", "sampled", lambda r: dimension(r["dimension"])),
    (
        "by likelihood",
        "of ten neighbours (Levina, Bickel), 95 % interval",
        "sampled",
        lambda r: dimension(r["dimension_likely"]),
    ),
    (
        "d*",
        "dimension from which half of all sets exist for random routers",
        "expected",
        lambda r: plain(r["resilience_dimension"]),
    ),
    (
        "d_gain",
        "the same for half of the region multiplier, where the width of ReLU experts is known",
        "expected",
        lambda r: plain(r["gain_dimension"]),
    ),
    ("plane", "variance that two principal directions show", "exact", lambda r: plain(r["plane_variance"])),
)
#: Layers side by side in one table: as many as a sheet of paper has room for.
ABREAST = 6
# One look for the screen and for paper, on which a picture cannot be laid out anew: as wide as a sheet laid across.
_STYLE = """:root{color-scheme:light}
body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2rem auto;padding:0 1rem;
background:#fff;color:#1b1b1b}
table{border-collapse:collapse;font-size:13px;display:block;overflow-x:auto;margin-bottom:1.2rem}
th,td{padding:.3rem .6rem;text-align:right;vertical-align:top;border-bottom:1px solid #8884}th{white-space:nowrap}
td{min-width:5.5rem}td.what{text-align:left;min-width:11rem;opacity:.75}td.kind{min-width:0;opacity:.75;white-space:nowrap}
h2{margin-top:2.2rem}.quiet{opacity:.75}.pair{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(420px,100%),1fr));gap:1rem}
.pair>*{min-width:0}
@page{size:A4 landscape;margin:1cm}@media print{body{margin:0 auto}table{overflow:visible}h2{break-after:avoid}
.pair>*,tr{break-inside:avoid}}"""


def page(capture: Capture, found: dict[str, Any], title: str = "Routers") -> str:
    """The report as HTML with everything in it, scripts included.

    Parameters
    ----------
    capture : Capture
    found : dict
        What `numbers` returned for it.
    title : str
        Escaped, like every name from outside.
    """
    rows, names = found["layers"], [_name(row) for row in found["layers"]]
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        (
            "<p class=quiet>"
            + say("{facts} tropviz {version}.", facts=_facts(capture), version=html.escape(__version__))
            + "</p>"
        ),
        ("<h2>" + say("Do the captured choices follow from the weights?") + "</h2>") + _agreement(rows, names),
        ("<h2>" + say("At one glance") + "</h2>") + _glance(rows, names),
        ("<h2>" + say("Layer by layer") + "</h2>") + _table(rows, names),
        ("<h2>" + say("Loads") + "</h2>") + _loads(capture, names) + _strips(rows, names),
        ("<h2>" + say("Experts that act together") + "</h2>") + _together(capture, rows, names),
        _flows(capture, names),
        _sources(capture, found, names),
        _tokens(capture, names),
        _compared(found, names),
    ]
    head = f"<meta charset=utf-8><title>{html.escape(title)}</title><style>{_STYLE}</style>"
    body = "\n".join(part for part in parts if part)
    head += f"<script>{get_plotlyjs()}</script>"
    return f"<!doctype html><html lang={current()}><head>{head}</head><body>{body}</body></html>"


def _name(row: Row) -> str:
    return f"{row['layer']}{' ' + row['side'] if row['side'] else ''}"


def _facts(capture: Capture) -> str:
    tokens = max(layer.n for layer in capture.layers)
    return say("{layers} routers, {tokens:,} tokens. Intervals are 95 %.", layers=len(capture.layers), tokens=tokens)


def _agreement(rows: list[Row], names: list[str]) -> str:
    known = [row for row in rows if row["agreement"] is not None]
    if not known:
        return "<p>" + say("Only choices were recorded, so they cannot be recomputed.") + "</p>"
    known = [row for row in known if agreed(row) is not None]
    if not known:
        what = say("The choices are computed from the gate, not recorded by the model: there is nothing to agree with.")
        return f"<p>{what}</p>"
    worst = min(known, key=lambda row: row["agreement"].value)
    name = html.escape(names[rows.index(worst)])
    text = say(
        "<p>Least in layer {name}: {agreement} of the sample's tokens; {why}. ",
        name=name,
        agreement=percent(worst["agreement"]),
        why=html.escape(why(worst)),
    )
    bent = [row for row in known if row["elsewhere"].value > 0]
    if bent:
        most = max(bent, key=lambda row: row["elsewhere"].value)
        text += say(
            "Plain top-k would send up to {elsewhere} of the tokens elsewhere. ", elsewhere=percent(most["elsewhere"])
        )
    return text + say("Loads below are those of the captured choices, geometry is that of the weights.</p>")


def _glance(rows: list[Row], names: list[str]) -> str:
    told = [(name, verdict(row)) for name, row in zip(names, rows, strict=True)]
    items = [
        ("<li>" + say("Layer {n}: {names}", n=html.escape(n), names=html.escape(" ".join(s))) + "</li>")
        for n, s in told
        if s
    ]
    return f"<ul>{''.join(items)}</ul>" if items else ("<p>" + say("Nothing stands out.") + "</p>")


def _table(rows: list[Row], names: list[str]) -> str:
    parts = (slice(lo, lo + ABREAST) for lo in range(0, len(rows), ABREAST))
    note = say("The fullest set is not router saturation, which in this field compares checkpoints.")
    return "".join(_abreast(rows[part], names[part]) for part in parts) + f"<p class=quiet>{note}</p>"


def _abreast(rows: list[Row], names: list[str]) -> str:
    """Some layers side by side, with what each number means and of which kind it is."""
    routers = [say("{N} experts, {k} active, class {kind}", N=r["N"], k=r["k"], kind=r["class"]) for r in rows]
    lines = "".join(
        f"<tr><th>{html.escape(say(word))}</th><td class=what>{html.escape(say(what))}</td>"
        f"<td class=kind>{html.escape(say(kind))}</td>"
        + "".join(f"<td>{html.escape(write(row))}</td>" for row in rows)
        + "</tr>"
        for word, what, kind, write in LINES
    )
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    under = "".join(f"<td>{html.escape(text)}</td>" for text in routers)
    first = f"<tr><th>{say('layer')}</th><td class=what></td><td class=kind></td>{head}</tr>"
    return f"<table>{first}<tr><th></th><td class=what></td><td class=kind></td>{under}</tr>{lines}</table>"


def _loads(capture: Capture, names: list[str]) -> str:
    widths = sorted({layer.gate.N for layer in capture.layers})
    out = []
    for N in widths:  # models may have routers of several widths
        chosen = [i for i, layer in enumerate(capture.layers) if layer.gate.N == N]
        out.append(_figure(load_map([capture.layers[i].load.sum(0) for i in chosen], [names[i] for i in chosen])))
    return "".join(out)


def _strips(rows: list[Row], names: list[str]) -> str:
    if len(rows) < 2:
        return ""
    shown = {
        "load_cv": say("load CV"),
        "fullest_set": say("fullest set"),
        "mean_square_share_router": say("|mean|² share"),
    }
    out = []
    for key, title in (shown | {"dimension": say("dimension"), "agreement": say("agreement")}).items():
        values = [agreed(row) if key == "agreement" else row[key] for row in rows]
        plain_values = [v.value if isinstance(v, Count) else v for v in values]
        intervals = [v.interval if isinstance(v, Count) else None for v in values]
        if any(v is not None for v in plain_values):
            out.append(_figure(strip(plain_values, title, names, intervals), 240))
    return f"<div class=pair>{''.join(out)}</div>"


def _together(capture: Capture, rows: list[Row], names: list[str]) -> str:
    order = sorted(range(len(rows)), key=lambda i: -rows[i]["load_cv"])
    chosen = [i for i in order if capture.layers[i].gate.k > 1][:DRAWN]
    if not chosen:
        return "<p>" + say("One expert a token: none act together.") + "</p>"
    cells = [
        (
            "<div>"
            + say(
                "Layer {names}{figure}",
                names=html.escape(names[i]),
                figure=_figure(lift_map(lift(capture.layers[i])), 360),
            )
            + "</div>"
        )
        for i in chosen
    ]
    return f"<div class=pair>{''.join(cells)}</div>"


def _flows(capture: Capture, names: list[str]) -> str:
    cells: list[str] = []
    for i, (a, b) in enumerate(zip(capture.layers, capture.layers[1:], strict=False)):
        found = flow(a, b) if a.gate.side == b.gate.side else None
        if found is not None and len(cells) < DRAWN:
            words = html.escape(say("Layer {names} to {names_2}", names=names[i], names_2=names[i + 1]))
            cells.append(f"<div>{words}{_figure(flow_map(found), 360)}</div>")
    return say("<h2>From layer to layer</h2><div class=pair>{names}</div>", names="".join(cells)) if cells else ""


def _sources(capture: Capture, found: dict[str, Any], names: list[str]) -> str:
    if len(capture.sources) < 2:
        return ""
    cells = []
    for i, layer in enumerate(capture.layers[:DRAWN]):
        part = found["layers"][i]["sources_part"]
        there = by_source(layer)
        if there is None:
            continue
        words = say("Layer {names}", names=names[i])
        if part:
            words += say(
                ": {bits:.4f} bits in common, {by_chance:.4f} by chance (p = {p:.3f})",
                bits=part["bits"],
                by_chance=part["by_chance"],
                p=part["p"],
            )
        picture = source_map(there[1], [capture.sources[j] or "–" for j in there[0]])
        cells.append(f"<div>{html.escape(words)}{_figure(picture, 300)}</div>")
    if not cells:
        return ""
    return f"<h2>{say('Sources')}</h2><p class=quiet>{say(CHANCE)}</p><div class=pair>{''.join(cells)}</div>"


def _tokens(capture: Capture, names: list[str]) -> str:
    cells = []
    for name, layer in zip(names[:DRAWN], capture.layers[:DRAWN], strict=True):
        there = by_token(layer)
        if there is not None:
            picture = source_map(there[1], [f"id {i}" for i in there[0].tolist()], say("token"))
            cells.append(f"<div>{html.escape(say('Layer {names}', names=name))}{_figure(picture, 520)}</div>")
    if not cells:
        return ""
    what = f"<p class=quiet>{say('The most frequent tokens of the sample.')} {say(CHANCE)}</p>"
    return f"<h2>{say('Tokens')}</h2>{what}<div class=pair>{''.join(cells)}</div>"


def _compared(found: dict[str, Any], names: list[str]) -> str:
    if not found["compared"]:
        return ""
    lines = []
    for name, row in zip(names, found["compared"], strict=True):
        cells = [plain(row["jsd"]), *(percent(row[key]) for key in ("jaccard", "saturation", "same_set"))]
        lines.append(f"<tr><th>{html.escape(name)}</th>{''.join(f'<td>{html.escape(c)}</td>' for c in cells)}</tr>")
    head = say("<tr><th>layer<th>JSD of loads (bits)<th>Jaccard of sets<th>router saturation<th>same set</tr>")
    note = say("Router saturation: the mean share of a token's experts that the other checkpoint chooses too.")
    return say(
        "<h2>Two captures</h2><p>{note}</p><table>{head}{names}</table>", note=note, head=head, names="".join(lines)
    )


def _figure(figure: dict[str, Any], height: int = 320) -> str:
    picture = go.Figure(figure)
    picture.update_layout(height=height, autosize=True, template="none", paper_bgcolor="rgba(0,0,0,0)")
    settings = {"displaylogo": False, "responsive": True}
    text = plotly.io.to_html(picture, include_plotlyjs=False, full_html=False, config=settings)
    return str(text)
