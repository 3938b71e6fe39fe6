"""Two processes of a cluster give the numbers of one, of merged shards and of sweeps, also when one is lost."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tropviz.cli import cli
from tropviz.core.capture import of_choices, of_states
from tropviz.core.gates import Gate
from tropviz.core.survey import Shape, survey
from tropviz.io.cluster import each, merged
from tropviz.io.traces import read_capture
from tropviz.report import as_json, numbers

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
RANDOM = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def patient():
    """On a machine that is busy with other things, a worker takes long to answer and to come back."""
    times = {"distributed.comm.timeouts.connect": "120s", "distributed.comm.timeouts.tcp": "120s"}
    with dask.config.set({**times, "distributed.scheduler.allowed-failures": 10}):
        yield


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


def test_a_sweep_is_the_same_table_when_a_worker_is_lost(tmp_path):
    mark = tmp_path / "lost"

    def measure_or_die(shape):
        if shape.seed == 1 and not Path(mark).exists():
            Path(mark).touch()
            os._exit(1)
        return survey(shape, [0.0, 2.0], 300)

    shapes = [Shape(N, 2, d, H, seed) for N in (5, 9) for d in (2, 3) for H in (0, 3) for seed in (0, 1)]
    want = json.dumps(each(partial(survey, offsets=[0.0, 2.0], points=300), shapes))
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster):
        assert json.dumps(each(measure_or_die, shapes, cluster.scheduler_address)) == want
        tables = [tmp_path / "here.csv", tmp_path / "there.csv"]
        for table, more in zip(tables, ([], ["--scheduler", cluster.scheduler_address]), strict=True):
            told = CliRunner().invoke(cli, ["sweep", "-N", "5,6", "--offsets", "0,1", "-o", str(table), *more])
            assert told.exit_code == 0 and json.loads(told.stdout)["rows"] == 4
    assert mark.exists() and tables[0].read_text() == tables[1].read_text()


def test_a_scheduler_that_does_not_answer_is_refused(shards, monkeypatch):
    monkeypatch.setattr("tropviz.io.cluster.PATIENCE", 0.2)
    with pytest.raises(ValueError, match=r"--scheduler is tcp://127\.0\.0\.1:1 and does not answer"):
        merged(shards, None, "tcp://127.0.0.1:1")


def test_files_are_merged_in_one_order_whatever_their_number(shards):
    for count in (1, 2, 3, 5):
        assert merged(shards[:count]).layers[0].n == 200 * count
    choices = of_choices(np.zeros((4, 1, 1), int), 3)
    assert merged(["a", "b", "c"], read=lambda file, experts: choices).layers[0].n == 12
