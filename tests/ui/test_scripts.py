"""The scripts of the canvas read what Python packs, with the node of the tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from tropviz.figures.picture import Once
from tropviz.ui.canvas import pack

JS = Path(__file__).resolve().parents[2] / "tropviz" / "ui" / "canvas" / "js"
NODE = Path(sys.executable).parent / "node"  # of tests/requirements.txt


def test_what_python_packs_the_browser_reads():
    x, cells = np.array([1.5, -2.0], np.float32), np.array([3, 4, 5], np.int32)
    frames = Once([{"x": x, "name": "1"}, {"x": x[:1], "name": "2"}])
    picture = {"data": [{"x": x, "cell": cells}], "layout": {"title": "Δ(2,4)"}, "frames": {"items": frames}}
    message = pack({**picture, "meta": {"handle": None}})
    code = f"""
    import {{ unpack }} from "{(JS / "payload.js").as_uri()}";
    const bytes = new Uint8Array(await new Response((await import("node:stream")).Readable.toWeb(process.stdin))
      .arrayBuffer());
    const out = unpack(bytes);
    console.log(JSON.stringify(out, (_, v) => (ArrayBuffer.isView(v) ? Array.from(v) : v)));
    """
    call = [NODE, "--input-type=module", "-e", code]
    done = subprocess.run(call, input=message, capture_output=True, check=True)
    told = json.loads(done.stdout)
    assert told["data"] == [{"x": x.tolist(), "cell": cells.tolist()}]
    assert told["frames"]["items"] == [{"x": x.tolist(), "name": "1"}, {"x": x[:1].tolist(), "name": "2"}]
    assert told["layout"] == {"title": "Δ(2,4)"} and told["meta"] == {"handle": None}
