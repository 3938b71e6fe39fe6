"""A short attack on every reader; the long one is ``python -m tests.attack --inputs 100000``."""

from contextlib import suppress

from tests.attack.run import attack
from tests.attack.seeds import honest, lying


def test_damaged_and_lying_files_end_in_an_array_or_one_sentence():
    result = attack(1500, seed=7)
    assert result.ok, result.failures
    assert result.read > 40 and result.refused > 1000


def test_every_honest_file_is_read_and_every_lying_one_refused():
    from tests.attack.run import READERS

    def read(name, data):
        found = 0
        for reader in READERS:
            with suppress(ValueError):
                found += reader(data, name) is not None
        return found

    assert {name for name, data in honest().items() if not read(name, data)} <= {"module.pt"}
    assert {name for name, data in lying().items() if read(name, data)} <= {"steps.pt"}


def test_the_attack_notices(monkeypatch):
    import tests.attack.run as run

    def breaks(data, name):
        raise KeyError(name)

    monkeypatch.setattr(run, "READERS", (breaks,))
    assert not attack(5, seed=1).ok
    monkeypatch.setattr(run, "READERS", (lambda data, name: run.RAN.append("ran"),))
    assert "ran" in attack(1, seed=1).failures[0]
