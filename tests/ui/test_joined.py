"""The modules of the scripts as one: each keeps its own scope, and what cannot be joined is refused by name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tropviz.ui.canvas.joined import joined

NODE = Path(sys.executable).parent / "node"  # of tests/requirements.txt
MODULES = {
    "view": (
        'import { one as first, Box } from "./base.js";\nimport { two } from "./other.js";\n'
        'import "./aside.js";\n'
        "const own = globalThis.heard;\n"
        "export default function (c) { return c + own + first + two() + new Box().size; }\n"
    ),
    "aside": "globalThis.heard = 10;",
    "base": "const own = 1;\nexport const one = own;\nexport class Box { size = 1000; }",
    "other": (
        'import { one } from "./base.js";\nexport async function later() {}\nexport function two() { return one + 99; }'
    ),
}


def test_every_module_has_its_own_scope_and_stands_after_what_it_imports():
    code = f"{joined(MODULES)}\nconsole.log(JSON.stringify([modules.view.default(5), Object.keys(modules.other)]));"
    done = subprocess.run([NODE, "--input-type=module", "-e", code], capture_output=True, check=True)
    assert json.loads(done.stdout) == [5 + 10 + 1 + 100 + 1000, ["later", "two"]]


@pytest.mark.parametrize(
    ("modules", "says"),
    [
        (
            {"a": 'import { b } from "./b.js";\nexport const a = 1;', "b": 'import { a } from "./a.js";'},
            "does not export",
        ),
        ({"a": 'import { b } from "./b.js";'}, "does not export"),
        (
            {
                "a": 'import { b } from "./b.js";\nexport const a = 1;',
                "b": 'import { a } from "./a.js";\nexport const b = 1;',
            },
            "imports itself",
        ),
        ({"a": "import * as b from './b.js';"}, "not understood"),
        ({"a": "export let a = 1;"}, "not understood"),
        ({"a": "export { b };"}, "not understood"),
    ],
)
def test_what_cannot_be_joined_is_refused_by_name(modules, says):
    with pytest.raises(ValueError, match=says):
        joined(modules)
