"""Training: recorded layers are what they say, the options do what they say, and off-centre data collapses a router."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from tropviz import MoELayer, RoutingFan
from tropviz.core.training import Diverged, Recipe, checkpoint, dataset, order, outcome, paired, train
from tropviz.core.training.loop import recorded_steps
from tropviz.io import digits, read_layer
from tropviz.io.training import checkpoints_zip

SMALL = {"data": "moons", "points": 120, "N": 5, "k": 2, "H": 3, "steps": 40, "batch": 32, "checkpoints": 6}
REMEDIES = [
    {},
    {"balance": 0.1},
    {"bias_rate": 0.01},
    {"centred": True, "offset": 4.0},
    {"shared": True, "offset": 2.0},
    {"router_bias": False},
    {"noise": 0.5},
    {"data": "clusters", "d": 3},
]


@pytest.mark.parametrize("options", REMEDIES, ids=str)
def test_a_checkpoint_is_an_ordinary_layer_with_the_loss_it_says(options):
    run = list(train(Recipe(**{**SMALL, **options})))
    assert [layer.step for layer in run] == recorded_steps(40, 6)
    for layer in (run[0], run[-1]):
        assert isinstance(layer, MoELayer) and RoutingFan(layer.router).count.kind == "exact"
        X, y = layer.data.X, layer.data.y
        loss = 0.0
        for x, label in zip(X, y, strict=True):  # the definition, point by point
            scores = layer.router.W @ x + layer.router.b
            S = np.argsort(-scores, kind="stable")[: layer.k]
            gates = np.exp((layer.router.W @ x + layer.gate_b)[S])
            out = layer.A @ x + layer.a
            for i, g in zip(S, gates / gates.sum(), strict=True):
                out = out + g * layer.V[i] @ np.maximum(layer.U[i] @ x + layer.c[i], 0)
            loss += np.log(np.exp(out - out.max()).sum()) + out.max() - out[label]
        assert layer.loss == pytest.approx(loss / len(y), rel=1e-9)
    assert np.isfinite(run[-1].loss) and run[-1].loss < run[0].loss
    if options.get("router_bias") is False:
        assert run[-1].router.central
    if not options.get("shared"):
        assert not run[-1].A.any()
    chosen_by_gates = "bias_rate" not in options
    assert np.array_equal(run[-1].gate_b, run[-1].router.b) == chosen_by_gates


def test_the_same_recipe_gives_the_same_weights_and_another_seed_others():
    one, two = (list(train(Recipe(**SMALL, balance=0.01)))[-1] for _ in range(2))
    other = list(train(Recipe(**SMALL, balance=0.01, seed=1)))[-1]
    assert np.array_equal(one.router.W, two.router.W) and np.array_equal(one.V, two.V)
    assert not np.array_equal(one.router.W, other.router.W)


def test_wide_experts_say_the_same_in_blocks_and_hold_little(monkeypatch):
    layer = list(train(Recipe(**SMALL)))[-1]
    X = np.random.default_rng(0).normal(size=(500, 2))
    whole = layer.outputs(X)
    sizes, mixed = [], checkpoint.Checkpoint._mixed
    monkeypatch.setattr(checkpoint, "_HIDDEN", 3 * layer.N * layer.H)
    monkeypatch.setattr(checkpoint.Checkpoint, "_mixed", lambda *args: sizes.append(len(args[1])) or mixed(*args))
    assert np.allclose(layer.outputs(X), whole, rtol=1e-12, atol=1e-12)
    assert sum(sizes) == len(X) and max(sizes) == 3


def test_recording_more_changes_no_weight():
    few, many = (list(train(Recipe(**{**SMALL, "checkpoints": c})))[-1] for c in (2, 40))
    assert np.array_equal(few.router.W, many.router.W) and np.array_equal(few.U, many.U)


def test_the_gradient_is_that_of_the_loss():
    """One step of plain descent along the recorded gradient lowers the loss by its square, to first order."""
    import torch

    from tropviz.core.training.loop import data_of
    from tropviz.core.training.model import Model

    recipe = Recipe(**SMALL)
    model = Model(recipe, data_of(recipe))
    logits, _, _ = model._forward(model.X)
    loss = torch.nn.functional.cross_entropy(logits, model.y)
    (gradient,) = torch.autograd.grad(loss, [model.W])
    step = 1e-3
    with torch.no_grad():
        model.W -= step * gradient
    after = torch.nn.functional.cross_entropy(model._forward(model.X)[0], model.y)
    assert float((loss - after).detach()) == pytest.approx(step * float((gradient**2).sum()), rel=0.1)


def test_stopping_and_divergence_keep_what_was_there():
    seen = []
    run = train(Recipe(**SMALL), stopped=lambda: len(seen) >= 3)
    seen.extend(iter(lambda: next(run, None), None))
    assert [layer.step for layer in seen] == recorded_steps(40, 6)[:3]
    kept: list = []
    with pytest.raises(Diverged, match=r"lower the learning rate \(it is 1e\+30\)"):
        kept += train(Recipe(**{**SMALL, "rate": 1e30}))
    assert kept and all(np.isfinite(layer.loss) for layer in kept)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"k": 9}, "k is 9 and N is 5"),
        ({"data": "stars"}, "data is 'stars': use one of"),
        ({"rate": 0.0}, "rate is 0"),
        ({"rate": float("nan")}, "rate is nan"),
        ({"points": 1}, "points is 1"),
        ({"steps": 10**9}, "steps is 1000000000"),
        ({"offset": -1.0}, "offset is -1.0"),
        ({"N": 256, "H": 256, "batch": 4096, "d": 64}, "too much work"),
    ],
)
def test_wrong_recipes_are_refused_before_anything_is_computed(wrong, said):
    with pytest.raises(ValueError, match=said.replace("(", r"\(")):
        Recipe(**{**SMALL, **wrong})


def test_data_are_centred_shapes_carried_by_the_offset():
    for kind in ("spirals", "rings", "checkerboard", "moons", "clusters"):
        data = dataset(kind, 400, 3, offset=5, direction=[0, 1, 0], spread=2, seed=3)
        assert np.allclose(data.X.mean(axis=0), [0, 5, 0]) and np.allclose(data.mean, [0, 5, 0])
        assert np.sqrt(((data.X - data.mean) ** 2).mean()) == pytest.approx(2)
        assert set(data.y.tolist()) == set(range(data.classes)) and data.classes >= 2
    with pytest.raises(ValueError, match="1 class"):
        dataset("digits", 10, own=(np.zeros((10, 2)), np.zeros(10)))
    with pytest.raises(ValueError, match="give its points as own"):
        dataset("digits", 10)


def test_digits_are_learned_from_their_own_dimensions():
    found = digits()
    recipe = Recipe(data="digits", points=300, N=6, k=2, H=4, steps=60, checkpoints=2)
    *_, last = train(recipe, own=(found.X, found.labels))
    assert last.d == 16 and last.data.classes == 10 and last.accuracy > 0.3


@pytest.mark.timeout(1200)
def test_the_order_of_the_remedies_over_ten_seeds():
    """Two spirals, the usual recipe: mean differences over the seeds, with their 95 % intervals.

    That both together do better than centring alone is the weakest part: 0.05 of loss, in 52 of 60 seeds (seen with a
    batched copy of the loop), and ten seeds need not show it; they must not show the contrary.
    """
    usual = {"checkpoints": 2}
    runs = {
        "origin": {},
        "none": {"offset": 6.0},
        "balance": {"offset": 6.0, "balance": 0.1},
        "centred": {"offset": 6.0, "centred": True},
        "both": {"offset": 6.0, "centred": True, "balance": 0.1},
    }
    found = order(
        {
            name: [outcome(list(train(Recipe(**usual, **options, seed=seed)))[-1]) for seed in range(10)]
            for name, options in runs.items()
        }
    )
    assert found is not None and found.seeds == 10
    assert set(found.fails) <= {"both_centred"}, found
    assert found.claims["both_centred"].high > 0 and found.whole >= 4


def test_an_interval_is_that_of_the_paired_differences():
    from scipy import stats

    ahead, behind = np.random.default_rng(3).normal([[1.0], [0.0]], size=(2, 10))
    found = paired(ahead, behind)
    low, high = stats.ttest_rel(ahead, behind).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((low, high)) and found.held == (ahead > behind).sum()
    assert found.holds == (low > 0)
    with pytest.raises(ValueError, match="give both runs of every seed"):
        paired([1.0], [])
    assert paired([2.0], [1.0]).holds is False  # one seed shows nothing
    # two seeds or three with the same whole number show nothing of how it spreads; ten do
    for n, holds in ((2, False), (3, False), (10, True)):
        found = paired([4.0] * n, [3.0] * n)
        assert found.low < found.mean < found.high and found.holds is holds
    assert paired([3.0, 3.0], [3.0, 3.0]).low < 0 < paired([3.0, 3.0], [3.0, 3.0]).high


def test_every_checkpoint_of_a_run_is_a_layer_that_the_reader_takes(tmp_path):
    recipe = Recipe(**SMALL, offset=3.0)
    with zipfile.ZipFile(io.BytesIO(checkpoints_zip(recipe))) as folder:
        folder.extractall(tmp_path)
    run = list(train(recipe))
    files = sorted(tmp_path.iterdir())
    assert [int(file.stem.removeprefix("step_")) for file in files] == [layer.step for layer in run]
    for file, layer in zip(files, run, strict=True):
        read = read_layer(file).layer()
        assert np.array_equal(read.router.b, layer.router.b) and np.array_equal(read.U, layer.U)
        assert int(read.fan.count) == int(layer.fan.count)


def test_the_command_writes_a_layer_that_the_reader_takes(tmp_path):
    out = tmp_path / "run.npz"
    words = "train --data moons --points 120 -N 5 -k 2 -H 3 --steps 40 --checkpoints 4 --offset 3 --balance 0.01 -o"
    done = subprocess.run([sys.executable, "-m", "tropviz", *words.split(), out], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    same = {"data": "moons", "points": 120, "N": 5, "k": 2, "H": 3, "steps": 40, "checkpoints": 4}
    *_, last = train(Recipe(**same, offset=3.0, balance=0.01))
    assert told["outcome"]["loss"] == last.loss and told["cells"]["value"] == int(last.fan.count)
    assert [row["step"] for row in told["curve"]] == recorded_steps(40, 4) and "step 40 of 40" in done.stderr
    layer = read_layer(out).layer()
    assert np.array_equal(layer.router.W, last.router.W) and int(layer.regions(3)) == int(last.regions(3))
    again = subprocess.run([sys.executable, "-m", "tropviz", "train", "--rate", "1e30", "-o", out], capture_output=True)
    assert again.returncode == 2 and b"lower the learning rate" in again.stderr and b"Traceback" not in again.stderr
