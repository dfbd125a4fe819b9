"""What is handed out: archives with the page, which play and serve where there is neither Node nor this repository."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from packaging.requirements import Requirement

from tests.ports import free_port

ROOT = Path(__file__).parent.parent
PAGE = Path("ludens/server/static")
PATIENCE = 600.0  # seconds until a server answers or a game ends, on a machine that compiles beside it
SCRIPTS, SUFFIX = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`python -m build`: a source archive from this tree, and a wheel from that archive."""
    assert (ROOT / PAGE / "index.html").exists(), "A release holds the page: run `python web/build.py` first."
    folder = tmp_path_factory.mktemp("dist")
    succeed([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)], folder)
    return folder


@pytest.fixture(scope="module")
def wheel(archives: Path) -> Path:
    (found,) = archives.glob("*.whl")
    return found


@pytest.fixture
def sources(archives: Path, tmp_path: Path) -> Path:
    """What the source archive holds, unpacked."""
    (found,) = archives.glob("*.tar.gz")
    with tarfile.open(found) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    return unpacked


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `pip install ludens` makes."""
    return install(wheel, tmp_path_factory.mktemp("fresh"))


@pytest.fixture(scope="module")
def serving(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `pip install 'ludens[server]'` makes."""
    return install(wheel, tmp_path_factory.mktemp("serving"), "server")


def install(wheel: Path, folder: Path, extra: str = "") -> Path:
    """An environment with the wheel and what the wheel says it needs, and nothing else."""
    succeed([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], folder)
    python = program(folder, "python")
    succeed(
        [sys.executable, "-m", "pip", f"--python={python}", "install", "--no-deps", "--no-index", str(wheel)], folder
    )
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(succeed([python, "-I", "-c", code], folder).strip())
    for name in needed_by("ludens", read_requirements(wheel), extra):
        lend(importlib.metadata.distribution(name), packages)
    return folder


def read_requirements(wheel: Path) -> list[str]:
    """The requirements in the wheel's own metadata."""
    with zipfile.ZipFile(wheel) as archive:
        (path,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return re.findall(r"^Requires-Dist: (.*)$", archive.read(path).decode(), re.MULTILINE)


def needed_by(name: str, requirements: list[str], extra: str = "") -> set[str]:
    """Names of all distributions that these requirements lead to, with one extra of the first, or without any."""
    asked = {"", extra}
    for own in [Requirement(line) for line in requirements] * 2:  # extras that are made of others
        if own.name == name and own.marker and any(own.marker.evaluate({"extra": one}) for one in asked):
            asked |= own.extras
    found: set[str] = set()
    waiting = [(requirement, frozenset(asked)) for requirement in requirements]
    while waiting:
        text, extras = waiting.pop()
        requirement = Requirement(text)
        if requirement.marker and not any(requirement.marker.evaluate({"extra": extra}) for extra in extras):
            continue
        key = requirement.name + "".join(sorted(requirement.extras))
        if key in found or requirement.name == name:
            continue
        found.add(key)
        found.add(requirement.name)
        wanted = frozenset({"", *requirement.extras})
        waiting += [(line, wanted) for line in importlib.metadata.requires(requirement.name) or []]
    return {key for key in found if is_installed(key)}


def is_installed(name: str) -> bool:
    try:
        importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def lend(distribution: importlib.metadata.Distribution, packages: Path) -> None:
    """Links what a distribution has installed here into another environment: quicker than a download, and as real."""
    for top in {Path(file).parts[0] for file in distribution.files or []} - {"..", "__pycache__"}:
        there = Path(str(distribution.locate_file(top)))
        if there.exists() and not (packages / top).exists():
            (packages / top).symlink_to(there)


def program(folder: Path, name: str) -> str:
    """A program of the fresh environment."""
    return str(folder / "venv" / SCRIPTS / f"{name}{SUFFIX}")


def bare_environment(folder: Path) -> dict[str, str]:
    """Without Node, without the repository, with a home and a cache of its own."""
    lent = {name: value for name, value in os.environ.items() if name in ("SYSTEMROOT", "TEMP", "TMP", "LANG")}
    own = {"HOME": str(folder), "LUDENS_CACHE": str(folder / "cache"), "LUDENS_DATA": str(folder / "data")}
    return lent | own | {"PATH": str(folder / "venv" / SCRIPTS)}


def succeed(command: list[str], folder: Path, **wishes: Any) -> str:
    """What a command prints; its failure is the test's."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, **wishes)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def test_archives_hold_the_page_the_data_and_the_rules(archives: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = {Path(name) for name in archive.namelist()}
    (packed,) = archives.glob("*.tar.gz")
    with tarfile.open(packed) as tar:
        packed_inside = {Path(*Path(name).parts[1:]) for name in tar.getnames()}
    data = {
        path.relative_to(ROOT)
        for path in (ROOT / "ludens").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {PAGE / "index.html", Path("ludens/py.typed"), Path("ludens/server/storage/migrations/env.py")} <= data
    assert data - inside == set()
    assert data - packed_inside == set()
    rules = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs" / "rules").rglob("*") if path.is_file()]
    assert [path for path in rules if "ludens" / path not in inside] == []
    assert {PAGE / "licences.txt", Path("ludens.dist-info/licenses/LICENSE")} <= {short(path) for path in inside}
    assert Path("web/build.py") in packed_inside
    assert not any("node_modules" in path.parts for path in packed_inside)


def short(path: Path) -> Path:
    """A path in a wheel without the version."""
    return Path(re.sub(r"^ludens-[^/]*\.dist-info", "ludens.dist-info", path.as_posix()))


def test_pip_builds_the_same_wheel_from_the_tree(wheel: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path)]
    succeed([*command, str(ROOT)], tmp_path)
    (built,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(built) as one, zipfile.ZipFile(wheel) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())


def test_the_citation_names_the_version_and_the_changes_have_it() -> None:
    version = importlib.metadata.version("ludens")
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {version}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_what_the_page_bundles_has_its_licence() -> None:
    licences = (ROOT / "web" / "public" / "licences.txt").read_text(encoding="utf-8")
    for part in (
        "Fraunces",
        "Source Sans 3",
        "Svelte",
        "clsx",
        "esm-env",
        "Vite",
        "SIL OPEN FONT LICENSE",
        "MIT LICENSE",
    ):
        assert part in licences
    assert "licences.txt" in {path.name for path in (ROOT / PAGE).iterdir()}


@pytest.mark.parametrize("kind", ["--wheel", "--sdist"])
def test_without_the_page_nothing_is_built_and_one_sentence_says_what_to_do(kind: str, sources: Path) -> None:
    shutil.rmtree(sources / PAGE)
    command = [sys.executable, "-m", "build", "--no-isolation", kind, str(sources)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "run `make page` or `python web/build.py`, then build again." in said
    assert not (sources / "dist").exists() or not list((sources / "dist").iterdir())


def test_a_page_that_lost_a_file_is_not_packed(sources: Path) -> None:
    for script in (sources / PAGE / "assets").glob("index-*.js"):
        script.unlink()
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--wheel", str(sources)], capture_output=True, text=True
    )
    assert done.returncode != 0
    assert re.search(r"static/assets/index-\S+\.js is missing", done.stdout + done.stderr)


def test_an_editable_install_needs_no_page(sources: Path, tmp_path: Path) -> None:
    shutil.rmtree(sources / PAGE)
    code = f"from hatchling.build import build_editable; build_editable({str(tmp_path)!r})"
    succeed([sys.executable, "-c", code], sources)
    assert len(list(tmp_path.glob("*.whl"))) == 1


def test_the_wheel_plays_in_the_terminal(installed: Path) -> None:
    ludens, python, environment = (
        program(installed, "ludens"),
        program(installed, "python"),
        bare_environment(installed),
    )
    where = succeed([python, "-c", "import ludens; print(ludens.__file__)"], installed, env=environment)
    assert Path(where.strip()).is_relative_to(installed)
    for foreign in ("fastapi", "scipy", "matplotlib", "torch", "pytest"):
        done = subprocess.run([python, "-c", f"import {foreign}"], cwd=installed, env=environment, capture_output=True)
        assert done.returncode != 0, f"The fresh environment has {foreign}."
    command = [ludens, "arena", "azul", "heuristic", "random", "--games", "4", "--json"]
    report = json.loads(succeed(command, installed, env=environment))
    assert report["games"] == 4
    shown = succeed([ludens, "play", "azul", "--seats", "heuristic,random", "--seed", "7"], installed, env=environment)
    assert "points" in shown


def test_the_wheel_serves_the_page_and_plays_a_game(serving: Path) -> None:
    # The terminal's games have shown that the wheel compiles; here the same rules run uncompiled, minutes sooner.
    port, environment = free_port(), bare_environment(serving) | {"NUMBA_DISABLE_JIT": "1"}
    command = [program(serving, "ludens"), "serve", "--port", str(port), "--no-warm"]
    with (serving / "log.txt").open("w") as log:
        server = subprocess.Popen(command, cwd=serving, env=environment, stdout=log, stderr=log)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
            wait_until_it_answers(client, server, serving / "log.txt")
            page = client.get("/").text
            assets = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
            assert len(assets) >= 2
            assert [path for path in assets if client.get(path).status_code != 200] == []
            play_a_game(client)
    finally:
        server.terminate()
        server.wait(PATIENCE)


def wait_until_it_answers(client: httpx.Client, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert server.poll() is None, log.read_text()
        try:
            if client.get("/health").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"The server does not answer:\n{log.read_text()}")


def play_a_game(client: httpx.Client) -> None:
    """A person takes the first legal move until a game of Azul against a computer is over."""
    seats = [{"kind": "human", "name": "Ada"}, {"kind": "agent", "agent": "heuristic"}]
    made = client.post("/api/v1/tables", json={"game": "azul", "seats": seats, "options": {"round_limit": 2}}).json()
    table, token = made["table"]["id"], made["tokens"][0]["token"]
    headers = {"Authorization": f"Bearer {token}"}
    end, moves = time.monotonic() + PATIENCE, 0
    while client.get(f"/api/v1/tables/{table}").json()["status"] != "finished":
        assert time.monotonic() < end, "The game does not end."
        view = client.get(f"/api/v1/tables/{table}/view", headers=headers).json()
        if not view["legal"]:
            time.sleep(0.05)
            continue
        move = {"id": f"m{view['ply']}", "ply": view["ply"], "move": view["legal"][0]["id"]}
        answer = client.post(f"/api/v1/tables/{table}/moves", json=move, headers=headers)
        assert answer.status_code == 200, answer.text
        moves += 1
    assert moves > 5
