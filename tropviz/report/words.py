"""What the numbers of a layer say, in plain words; the worst first."""

from __future__ import annotations

from typing import Any

from tropviz.core.count import Count, people

Row = dict[str, Any]
#: Shares of agreement below which a report begins with a warning, and what it calls collapsed or uneven.
AGREES, COLLAPSED, UNEVEN = 0.9, 0.5, 1.0


def verdict(row: Row) -> list[str]:
    """Sentences about one layer.

    >>> verdict({"agreement": None, "class": "X", "why": "it is random", "load_cv": 0.2, "dead": [], "cold": [],
    ...          "fullest_set": Count(0.01, "sampled", ""), "tokens": 100, "near_twins": [], "dropped": 0})
    ['Only the recorded choices are known: it is random.']
    """
    out = []
    agree = row["agreement"]
    if row["class"] == "X":
        out.append(f"Only the recorded choices are known: {row['why']}.")
    elif agree is not None and agree.value < AGREES:
        out.append(
            f"The choices recomputed from the weights are the captured ones for {percent(agree)} only: {why(row)}."
        )
    if row["fullest_set"].value > COLLAPSED:
        out.append(f"Collapsed: {percent(row['fullest_set'])} of the tokens are in one active set.")
    if row["dead"]:
        out.append(f"{_experts(row['dead'])} never chosen in {row['tokens']:,} tokens.")
    if row["cold"]:
        out.append(f"{_experts(row['cold'])} chosen for less than a tenth of an even load.")
    if row["load_cv"] > UNEVEN:
        out.append(f"Uneven: loads vary by {row['load_cv']:.2f} of their mean.")
    if row["near_twins"]:
        first = row["near_twins"][0]
        i, j = first["experts"]
        out.append(f"Experts {i} and {j} are nearly one: {first['angle']:.1f}° apart.")
    if row["dropped"]:
        out.append(f"{row['dropped']:,} tokens got fewer experts than k (a capacity) and are left out.")
    return out


def why(row: Row) -> str:
    """What explains choices that differ from those recomputed."""
    part = row["explained_by_rounding"]
    if part is None:
        return "nothing differs"
    rest = "" if part > 0.999 else "; the rest is a rule or a capacity that the reader does not know"
    return f"{100 * part:.0f} % of those that differ have scores within bfloat16 rounding of each other{rest}"


def percent(count: Count | None) -> str:
    """A share in per cent with its interval.

    >>> percent(Count(0.5, "sampled", "", interval=(0.4, 0.6))), percent(None)
    ('50.0 % [40.0, 60.0]', 'not known')
    """
    if count is None:
        return "not known"
    text = f"{100 * count.value:.1f} %"
    if count.interval is None:
        return text
    return f"{text} [{100 * count.interval[0]:.1f}, {100 * count.interval[1]:.1f}]"


def plain(value: Any, digits: int = 3) -> str:
    """Any number of a report for people.

    >>> plain(None), plain(float("inf")), plain(2.5), plain([1, 2]), plain([])
    ('–', 'never', '2.50', '1, 2', 'none')
    """
    if value is None:
        return "–"
    if isinstance(value, Count):
        return str(value)
    if isinstance(value, list):
        return ", ".join(plain(v, digits) for v in value[:12]) + (", …" if len(value) > 12 else "") if value else "none"
    if isinstance(value, float):
        return "never" if value == float("inf") else people(value, digits)
    return f"{value:,}" if isinstance(value, int) else str(value)


def _experts(which: list[int]) -> str:
    listed = ", ".join(map(str, which[:8])) + (", …" if len(which) > 8 else "")
    return f"Expert {listed} was" if len(which) == 1 else f"{len(which)} experts ({listed}) were"
