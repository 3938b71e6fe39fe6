"""``python -m tests.attack --inputs 100000 --seed 1``."""

from __future__ import annotations

import argparse
import sys

from tests.attack.run import attack


def main() -> None:
    """Attack, and print what was tried; exit 1 at the first input that got through."""
    parser = argparse.ArgumentParser(description="Damaged and lying files for every reader of tropviz.")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    result = attack(given.inputs, given.seed, lambda line: print(line, flush=True))
    sys.exit(0 if result.ok else 1)


if __name__ == "__main__":
    main()
