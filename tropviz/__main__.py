"""``python -m tropviz``: the command line."""

from tropviz.cli import main

main()
