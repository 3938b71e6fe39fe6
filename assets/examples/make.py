"""Make the example files of the README: a router (N=8, k=2) and an MoE layer of it (H=4) in the plane.

Run from the project's root: ``python -m assets.examples.make``.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def main() -> None:
    """Write router.json and moe.json with three decimals, so that a person can read them."""
    rng = np.random.default_rng(8)
    router = {"W": rng.normal(size=(8, 2)).round(3).tolist(), "b": rng.normal(size=8).round(3).tolist()}
    hinges = {"U": rng.normal(size=(8, 4, 2)).round(3).tolist(), "c": rng.normal(size=(8, 4)).round(3).tolist()}
    layer = router | {"k": 2} | hinges
    for name, content in (("router.json", router), ("moe.json", layer)):
        (HERE / name).write_text(json.dumps(content) + "\n")


if __name__ == "__main__":
    main()
