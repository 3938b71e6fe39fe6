"""An attack on the readers of files: ``python -m tests.attack --inputs 100000 --seed 1`` (see `tests.attack.run`)."""
