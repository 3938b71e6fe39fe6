"""The modules of `canvas/js` as one script: one answer of the server, where each module costs as much as all."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: How a module may say what it takes and gives (the linter's rules and one line each): all that is understood here.
_IMPORT = re.compile(r'^import (?:\{ (.+?) \} from )?"\./(\w+)\.js";', re.M)
_EXPORT = re.compile(r"^export (?:async function|function|class|const) (\w+)", re.M)
_DEFAULT = "export default function ("
_LEFT = re.compile(r"^(?:import|export)\b.*", re.M)


def joined(modules: Mapping[str, str]) -> str:
    """One module that exports ``modules``: by name, what each of them exports.

    Every module keeps a scope of its own, and those that it imports stand before it.

    Parameters
    ----------
    modules : mapping of str
        Text by name, without ``.js``.

    Raises
    ------
    ValueError
        For modules that import each other in a circle, or something that is not exported; for another way to import
        than ``import { a, b as c } from "./name.js";`` and ``import "./name.js";``, or to export than before a
        declaration.

    Examples
    --------
    >>> print(joined({"b": 'import { one } from "./a.js";', "a": "export const one = 1;"}))
    export const modules = {};
    modules.a = (() => {
    const one = 1;
    return { one };
    })();
    modules.b = (() => {
    const { one } = modules.a;
    return {  };
    })();
    """
    given = {name: set(_EXPORT.findall(text)) for name, text in modules.items()}
    done: dict[str, str] = {}

    def add(name: str, within: tuple[str, ...] = ()) -> None:
        if name in within:
            raise ValueError(f"{name}.js imports itself, by way of {', '.join(within)}: take out what both need.")
        if name in done:
            return
        for names, other in _IMPORT.findall(modules[name]):
            if missing := {one.split(" as ")[0] for one in names.split(", ") if one} - given.get(other, set()):
                raise ValueError(f"{name}.js imports {', '.join(sorted(missing))}, which {other}.js does not export.")
            add(other, (*within, name))
        done[name] = _scoped(name, modules[name], given[name])

    for name in modules:
        add(name)
    return "\n".join(["export const modules = {};", *done.values()])


def _scoped(name: str, text: str, given: set[str]) -> str:
    taken = "const {{ {} }} = modules.{};"
    text = _IMPORT.sub(lambda m: taken.format(m[1].replace(" as ", ": "), m[2]) if m[1] else "", text)
    names = sorted(given) + ["default: main"] * (_DEFAULT in text)
    text = text.replace(_DEFAULT, "function main(")
    text = _EXPORT.sub(lambda m: m[0].removeprefix("export "), text)
    if left := _LEFT.search(text):
        raise ValueError(f"{name}.js has a line that is not understood here: {left[0]}")
    return f"modules.{name} = (() => {{\n{text.rstrip()}\nreturn {{ {', '.join(names)} }};\n}})();"
