"""``python -m tests.bench [name ...]``: print every row of the bench modules beside this file.

A bench module is named ``bench_*.py`` and has ``rows() -> Iterable[Row]``.
"""

import importlib
import sys
from pathlib import Path


def main() -> None:
    names = sorted(p.stem for p in Path(__file__).parent.glob("bench_*.py"))
    wanted = [n for n in names if not sys.argv[1:] or any(w in n for w in sys.argv[1:])]
    for name in wanted:
        for row in importlib.import_module(f"tests.bench.{name}").rows():
            print(f"{row.work:64s} {row.ratio:10.3g} x   target {row.target:12s} {row.note}", flush=True)


if __name__ == "__main__":
    main()
