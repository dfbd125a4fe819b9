"""A bare install plays, compares agents and trains without torch; the rest names the extra it needs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from ludens.core.extras import EXTRAS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MODULES = {"open-spiel": "pyspiel"}
NOT_BARE = ("adapters", "client", "server")  # layers that are an extra each
NEED_TORCH = {
    *(
        f"ludens.learn.{name}"
        for name in ("cloning", "dataset", "deep", "dqn", "ppo", "recorded", "rewards", "td_value")
    ),
    "ludens.networks.torch_network",
}


def required(extra: str) -> set[str]:
    """The packages of an extra and of the extras in it, named as pip does."""
    found: set[str] = set()
    for line in PROJECT["optional-dependencies"][extra]:
        wanted = Requirement(line)
        found |= set().union(*map(required, wanted.extras)) if wanted.name == "ludens" else {wanted.name}
    return {name.replace("_", "-") for name in found}


ALL_EXTRAS = ("all", "learn", "gpu", "cluster", "parquet", "adapters", "postgres")
BARE = {Requirement(line).name for line in PROJECT["dependencies"]}
# What a package of the bare install brings along may be imported; typer brings pydantic.
ABSENT = sorted(
    {MODULES.get(name, name.replace("-", "_")) for extra in ALL_EXTRAS for name in required(extra)} - {"pydantic"}
    | {"scipy", "anyio", "PIL", "pandas"}
)
BARELY = f"import sys; sys.modules.update(dict.fromkeys({ABSENT!r})); "
"""The start of a program in which nothing but a bare install is there."""


def run_barely(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "COLUMNS": "200"}
    command = [sys.executable, "-c", BARELY + program]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_modules_of_an_extra_are_installed_by_it() -> None:
    assert set(EXTRAS) < set(PROJECT["optional-dependencies"])
    for extra, modules in EXTRAS.items():
        names = {MODULES.get(name, name.replace("-", "_")) for name in required(extra)}
        assert set(modules) <= names, extra
        assert not {name.replace("_", "-") for name in modules} & BARE


def test_all_is_what_the_page_and_the_commands_need() -> None:
    assert required("all") == required("server") | required("lab") | required("tune")
    assert required("client") < required("server")
    assert "torch" not in required("all")


def test_the_bare_layers_import_nothing_of_an_extra(tmp_path: Path) -> None:
    program = f"""
import importlib, pkgutil, ludens
modules = [one.name for one in pkgutil.walk_packages(ludens.__path__, "ludens.", onerror=lambda name: None)]
bare = [name for name in modules if name.split(".")[1] not in {NOT_BARE!r} and name not in {NEED_TORCH!r}]
failed = []
for name in bare:
    try:
        importlib.import_module(name)
    except ImportError as error:
        failed.append(f"{{name}}: {{error}}")
print(len(bare), *failed, sep="\\n")
"""
    done = run_barely(program, tmp_path)
    assert done.returncode == 0, done.stderr
    count, *failed = done.stdout.splitlines()
    assert failed == []
    assert int(count) > 250


EXPERIMENT = """\
title = "Two games"
[[series]]
name = "one"
game = "azul"
players = ["heuristic", "random"]
games = 2
"""
REFUSALS = {
    "serve": (["serve", "--port", "1"], r"`ludens serve` needs alembic: pip install 'ludens\[server\]'\."),
    "server": (["server", "backup", "b.db"], r"`ludens server` needs alembic: pip install 'ludens\[server\]'\."),
    "join": (
        ["join", "http://127.0.0.1:1", "--game", "azul", "--agent", "random"],
        r"`ludens join` needs httpx: pip install 'ludens\[client\]'\.",
    ),
    "fill": (["fill", "batch.toml"], r"`ludens fill` needs httpx: pip install 'ludens\[client\]'\."),
    "worker": (
        ["worker", "http://127.0.0.1:1", "--token", "secret"],
        r"`ludens worker` needs httpx: pip install 'ludens\[client\]'\.",
    ),
    "experiment": (["experiment", "run", "two.toml"], r"A report needs matplotlib: pip install 'ludens\[lab\]'\."),
    "ladder": (
        ["ladder", "azul", "--games", "0", "--chart", "c.svg"],
        r"A chart needs matplotlib: pip install 'ludens\[lab\]'\.",
    ),
    "tune": (["tune", "azul"], r"Tuning needs cma: pip install 'ludens\[tune\]'\."),
    "train": (["train", "azul", "ppo"], r"ppo needs torch: pip install 'ludens\[learn\]'\."),
    "cluster": (
        ["arena", "azul", "random", "random", "--games", "2", "--cluster", "auto", "--results", "r.db"],
        r"A cluster needs ray: pip install 'ludens\[cluster\]'\.",
    ),
}


@pytest.mark.parametrize("command", REFUSALS)
def test_a_command_that_misses_an_extra_names_it_and_does_nothing(command: str, tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(EXPERIMENT)
    arguments, sentence = REFUSALS[command]
    done = run_barely(f"from ludens.cli.main import main; main({arguments!r})", tmp_path)
    assert re.fullmatch(sentence, done.stderr.strip()), done.stderr
    assert (done.returncode, done.stdout) == (2, "")
    assert [path.name for path in tmp_path.iterdir()] == ["two.toml"]


FUNCTIONS = {
    "client": ("import ludens.client", "A client of a server needs httpx: pip install 'ludens[client]'."),
    "gpu": (
        "from ludens.gpu.batch import GpuBatch; GpuBatch('azul', size=2)",
        "A batch on a GPU needs torch: pip install 'ludens[gpu]'.",
    ),
    "parquet": (
        "from ludens.play.export import export; export(None, 'games.parquet')",
        "Parquet needs pyarrow: pip install 'ludens[parquet]'.",
    ),
    "ratings": (
        "from ludens.lab.ratings import skill_ratings; skill_ratings(None)",
        "An OpenSkill rating needs openskill: pip install 'ludens[lab]'.",
    ),
    "figures": (
        "from ludens.lab.report.figures import scatter; scatter([], 'x', 'y')",
        "A figure needs matplotlib: pip install 'ludens[lab]'.",
    ),
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_that_misses_an_extra_raises_an_import_error_of_one_sentence(function: str, tmp_path: Path) -> None:
    program, sentence = FUNCTIONS[function]
    done = run_barely(f"\ntry:\n    {program}\nexcept ImportError as error:\n    print(error)", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == sentence


def test_a_bare_install_compares_agents_with_intervals(tmp_path: Path) -> None:
    arena = ["arena", "scotland_yard_grid", "random", "random", "--games", "4", "--json"]
    done = run_barely(f"from ludens.cli.main import main; main({arena!r})", tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 4
