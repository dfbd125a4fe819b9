"""Who may import whom: layers one way, and no cycles, those for types included."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = (
    "i18n", "core", "gpu", "networks", "games", "search", "agents", "play", "lab", "learn", "adapters", "client",
    "server", "cli",
)  # fmt: skip
MAY_IMPORT = {
    "i18n": {"i18n"},
    "core": {"i18n", "core"},
    "gpu": {"i18n", "core", "gpu"},
    "networks": {"i18n", "core", "networks"},
    "games": {"i18n", "core", "games"},
    "search": {"i18n", "core", "networks", "search"},
    "agents": {"i18n", "core", "networks", "games", "search", "agents"},
    "play": {"i18n", "core", "gpu", "networks", "agents", "play"},
    "lab": {"i18n", "core", "search", "agents", "play", "lab"},
    "learn": {"i18n", "core", "gpu", "networks", "search", "agents", "play", "lab", "learn"},
    "adapters": {"i18n", "core", "gpu", "agents", "play", "adapters"},
    "client": {"i18n", "core", "agents", "client"},
    "server": {"i18n", "core", "agents", "play", "lab", "server"},
    "cli": {*LAYERS, "bench"},
}

Graph = dict[str, set[str]]


@cache
def modules(package: Path) -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(name: str, path: Path) -> Iterator[tuple[str, str | None]]:
    """(module, name imported from it or None) of every import in a file, those in functions and for types too."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            yield from ((base, alias.name) for alias in node.names)


def graph(package: Path) -> Graph:
    """Which module imports which of the package; what is imported from a folder is the submodule, if it is one."""
    known = modules(package)
    found: Graph = {name: set() for name in known}
    for name, path in known.items():
        for base, imported in imports(name, path):
            target = f"{base}.{imported}" if f"{base}.{imported}" in known else base
            if target in known and target != name:
                found[name].add(target)
    return found


def cycles(edges: Graph) -> list[list[str]]:
    """The groups of modules that import each other in a circle, each in the order of one circle."""
    order: list[str] = []
    seen: set[str] = set()
    for start in edges:
        stack = [(start, iter(sorted(edges[start])))] if start not in seen else []
        seen.add(start)
        while stack:
            node, rest = stack[-1]
            step = next((other for other in rest if other not in seen), None)
            if step is None:
                order.append(stack.pop()[0])
            else:
                seen.add(step)
                stack.append((step, iter(sorted(edges[step]))))
    backwards: Graph = {name: set() for name in edges}
    for name, targets in edges.items():
        for target in targets:
            backwards[target].add(name)
    group_of: dict[str, int] = {}
    for number, start in enumerate(reversed(order)):
        todo = [start]
        while todo:
            node = todo.pop()
            if node not in group_of:
                group_of[node] = number
                todo += backwards[node]
    groups: dict[int, set[str]] = {}
    for name, number in group_of.items():
        groups.setdefault(number, set()).add(name)
    return sorted(_circle(edges, group) for group in groups.values() if len(group) > 1)


def _circle(edges: Graph, group: set[str]) -> list[str]:
    """A shortest way round from the first module of the group to itself."""
    start = min(group)
    before: dict[str, str] = {}
    todo = [start]
    for node in todo:
        for other in sorted(edges[node] & group):
            if other == start:
                circle = [node]
                while circle[-1] != start:
                    circle.append(before[circle[-1]])
                return circle[::-1]
            if other not in before:
                before[other] = node
                todo.append(other)
    raise AssertionError("a group of several modules has a way round")


def test_layers_import_one_way() -> None:
    known = modules(ROOT / "ludens")
    wrong = []
    for name, path in known.items():
        layer = name.split(".")[1] if "." in name else ""
        for base, imported in imports(name, path):
            target = f"{base}.{imported}" if base == "ludens" and imported else base
            found = target.split(".")[1] if target.startswith("ludens.") else ""
            if layer in MAY_IMPORT and found in (*LAYERS, "bench") and found not in MAY_IMPORT[layer]:
                wrong.append(f"{path.relative_to(ROOT)} imports {target}")
    assert wrong == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = modules(ROOT / "ludens")
    found = cycles(graph(ROOT / "ludens"))
    told = [" → ".join(str(known[name].relative_to(ROOT)) for name in [*circle, circle[0]]) for circle in found]
    assert told == []


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a": "from p.b import x", "b": "import p.c", "c": ""}, []),
        ({"a": "from p.b import x", "b": "import p.a"}, [["p.a", "p.b"]]),
        ({"a": "def f():\n    from p import b", "b": "if TYPE_CHECKING:\n    from .c import x", "c": "from . import a"},
         [["p.a", "p.b", "p.c"]]),
        ({"__init__": "from p.a import x", "a": "from p import x"}, [["p", "p.a"]]),
    ],
)  # fmt: skip
def test_cycles_are_found_wherever_the_import_stands(
    files: dict[str, str], expected: list[list[str]], tmp_path: Path
) -> None:
    (tmp_path / "p").mkdir()
    for name, text in {"__init__": "", **files}.items():
        (tmp_path / "p" / f"{name}.py").write_text(text)
    assert cycles(graph(tmp_path / "p")) == expected
