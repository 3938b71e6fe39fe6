"""Shards merged on a cluster of two processes give the numbers of one process, also when one is lost on the way."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from tropviz.core.capture import of_choices, of_states
from tropviz.core.gates import Gate
from tropviz.io.cluster import merged
from tropviz.io.traces import read_capture
from tropviz.report import as_json, numbers

distributed = pytest.importorskip("distributed")
RANDOM = np.random.default_rng(0)


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    folder, gate = tmp_path_factory.mktemp("shards"), Gate(0, "gate", RANDOM.normal(size=(6, 10)), 2)
    for shard in range(5):
        of_states([gate], [RANDOM.normal(size=(200, 10)) + 0.2], shard=shard).save(folder / f"{shard}.npz")
    return sorted(map(str, folder.iterdir()))


def test_a_lost_worker_changes_no_number(shards, tmp_path):
    mark = tmp_path / "lost"

    def read_or_die(file, experts):
        if file.endswith("3.npz") and not Path(mark).exists():
            Path(mark).touch()
            os._exit(1)
        return read_capture(file, experts)

    want = json.dumps(as_json(numbers(merged(shards))))
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster):
        assert json.dumps(as_json(numbers(merged(shards, None, cluster.scheduler_address)))) == want
        assert json.dumps(as_json(numbers(merged(shards, None, cluster.scheduler_address, read_or_die)))) == want
    assert mark.exists()


def test_a_scheduler_that_does_not_answer_is_refused(shards, monkeypatch):
    monkeypatch.setattr("tropviz.io.cluster.PATIENCE", 0.2)
    with pytest.raises(ValueError, match=r"--scheduler is tcp://127\.0\.0\.1:1 and does not answer"):
        merged(shards, None, "tcp://127.0.0.1:1")


def test_files_are_merged_in_one_order_whatever_their_number(shards):
    for count in (1, 2, 3, 5):
        assert merged(shards[:count]).layers[0].n == 200 * count
    choices = of_choices(np.zeros((4, 1, 1), int), 3)
    assert merged(["a", "b", "c"], read=lambda *_: choices).layers[0].n == 12
