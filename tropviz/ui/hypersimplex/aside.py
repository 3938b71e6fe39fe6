"""An aside of the Hypersimplex page: the tropical Grassmannian."""

from __future__ import annotations

import math

from tropviz.language import people, say
from tropviz.ui.hypersimplex.views import Views


def grassmannian(view: Views) -> str:
    """The aside, as Markdown."""
    N, k = view.N, view.k
    octahedra = math.comb(N, 4) * math.comb(N - 4, k - 2) if 2 <= k <= N - 2 else 0
    name = "".join(map(str, view.chosen)) if N <= 10 else ",".join(map(str, view.chosen))
    text = say(
        "The vertices of Δ({k},{n}) have a second life: they index the **Plücker coordinates** "
        "of a {k}-dimensional subspace of {n}-space. The vertex chosen above is the coordinate "
        "$p_{{{name}}}$, the minor of a {k} × {n} matrix on the columns {names}. ",
        k=k,
        n=N,
        name=name,
        names=", ".join(map(str, view.chosen)),
    )
    if not octahedra:
        return text + say("For this k every choice of coordinates is allowed, so tropically there is nothing to obey.")
    return text + (
        say(
            "Every octahedron among the faces ({octahedra} here) carries one three-term relation, "
            "such as $p_{{01}}\\,p_{{23}} - p_{{02}}\\,p_{{13}} + p_{{03}}\\,p_{{12}} = 0$ for k = 2. "
            "Tropically: of the three sums $p_{{01}}+p_{{23}}$, $p_{{02}}+p_{{13}}$, "
            "$p_{{03}}+p_{{12}}$ the largest occurs twice. Heights on the vertices that come from a "
            "subspace obey this on every octahedron; they form the **tropical Grassmannian** and cut "
            "Δ(k,N) into matroid polytopes (for k = 2: the trees with N leaves). A router's heights, "
            "sums of its k scores, are its simplest points: they cut nothing. (Speyer and Sturmfels, "
            "2004.)",
            octahedra=people(octahedra),
        )
    )
