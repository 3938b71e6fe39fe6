"""What the numbers of a layer say, in plain words; the worst first."""

from __future__ import annotations

from typing import Any

from tropviz.core.count import Count
from tropviz.language import numeral, people, say

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
        out.append(say("Only the recorded choices are known: {why}.", why=row["why"]))
    elif agree is not None and agree.value < AGREES:
        out.append(
            say(
                "The choices recomputed from the weights are the captured ones for {agree} only: {why}.",
                agree=percent(agree),
                why=why(row),
            )
        )
    if row.get("one_point"):
        out.append(say("All {n:,} tokens are one point: mask the padding, or capture other inputs.", n=row["tokens"]))
    if row["fullest_set"].value > COLLAPSED:
        out.append(
            say(
                "Collapsed: {fullest_set} of the tokens are in one active set.", fullest_set=percent(row["fullest_set"])
            )
        )
    if row["dead"]:
        out.append(
            say("{experts} never chosen in {tokens:,} tokens.", experts=_experts(row["dead"]), tokens=row["tokens"])
        )
    if row["cold"]:
        out.append(say("{experts} chosen for less than a tenth of an even load.", experts=_experts(row["cold"])))
    if row["load_cv"] > UNEVEN:
        out.append(say("Uneven: loads vary by {load_cv:.2f} of their mean.", load_cv=row["load_cv"]))
    if row["near_twins"]:
        first = row["near_twins"][0]
        i, j = first["experts"]
        out.append(say("Experts {i} and {j} are nearly one: {angle:.1f}° apart.", i=i, j=j, angle=first["angle"]))
    if row["dropped"]:
        out.append(
            say("{dropped:,} tokens got fewer experts than k (a capacity) and are left out.", dropped=row["dropped"])
        )
    return out


def agreed(row: Row) -> Count | None:
    """Agreement, unless nobody recorded a choice and the gate's own was taken: then it says nothing.

    >>> agreed({"agreement": Count(1.0, "sampled", ""), "choices_not_recorded": 9, "tokens": 9})
    """
    found: Count | None = row["agreement"]
    own = row.get("choices_not_recorded", 0) >= row["tokens"]
    return None if found is not None and own and found.value == 1 else found


def why(row: Row) -> str:
    """What explains choices that differ from those recomputed."""
    part = row["explained_by_rounding"]
    if part is None:
        return say("nothing differs")
    rest = (
        ""
        if part > 0.999
        else say("; the rest is rounding before the logits, or a rule or a capacity that the reader does not know")
    )
    return say(
        "{part:.0f} % of those that differ have scores within bfloat16 rounding of each other{rest}",
        part=100 * part,
        rest=rest,
    )


def percent(count: Count | None) -> str:
    """A share in per cent with its interval.

    >>> percent(Count(0.5, "sampled", "", interval=(0.4, 0.6))), percent(None)
    ('50.0 % [40.0, 60.0]', 'not known')
    """
    if count is None:
        return say("not known")
    text = numeral(f"{100 * count.value:.1f} %")
    if count.interval is None:
        return text
    return text + numeral(f" [{100 * count.interval[0]:.1f}, {100 * count.interval[1]:.1f}]")


def dimension(count: Count | None) -> str:
    """A dimension with its interval.

    >>> dimension(Count(2.04, "sampled", "", interval=(1.9, 2.21))), dimension(None)
    ('2.0 [1.9, 2.2]', '–')
    """
    if count is None or count.interval is None:
        return plain(count)
    return numeral(f"{count.value:.1f} [{count.interval[0]:.1f}, {count.interval[1]:.1f}]")


def plain(value: Any, digits: int = 3) -> str:
    """Any number of a report for people.

    >>> plain(None), plain(float("inf")), plain(2.5), plain([1, 2]), plain([])
    ('–', 'never', '2.50', '1, 2', 'none')
    """
    if value is None:
        return "–"
    if isinstance(value, Count):
        return numeral(str(value))
    if isinstance(value, list):
        return (
            ", ".join(plain(v, digits) for v in value[:12]) + (", …" if len(value) > 12 else "")
            if value
            else say("none")
        )
    if isinstance(value, float):
        return say("never") if value == float("inf") else people(value, digits)
    return numeral(f"{value:,}") if isinstance(value, int) else str(value)


def _experts(which: list[int]) -> str:
    listed = ", ".join(map(str, which[:8])) + (", …" if len(which) > 8 else "")
    return (
        say("Expert {listed} was", listed=listed)
        if len(which) == 1
        else say("{which} experts ({listed}) were", which=len(which), listed=listed)
    )
