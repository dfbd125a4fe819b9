"""The documentation is true: its code is the code that the tests run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)


def test_the_worked_example_is_the_tiny_game_letter_by_letter() -> None:
    tiny = (ROOT / "tests" / "examples" / "tiny.py").read_text()
    squeeze = lambda text: re.sub(r"\n+", "\n", text).strip()  # noqa: E731
    assert squeeze("\n".join(blocks("adding_a_game.md", "python"))) == squeeze(tiny)
    assert len(tiny.splitlines()) < 150


def test_the_worked_example_can_be_followed(tmp_path: Path) -> None:
    (tmp_path / "pig.py").write_text("\n\n".join(blocks("adding_a_game.md", "python")))
    script = next(block for block in blocks("adding_a_game.md", "sh") if "END" in block)
    program = script.split("<<'END'\n")[1].split("\nEND")[0]
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Player 1: roll" in done.stdout


def test_the_advice_for_searches_can_be_followed(tmp_path: Path) -> None:
    tiny, advice = (ROOT / "tests" / "examples" / "tiny.py").read_text(), "\n\n".join(blocks("adding_a_game.md", "py"))
    rules, game = tiny.split("GAME = Game(")
    for old, new in (
        ("observe)", "observe, evaluate=evaluate, prior=prior, evaluations=EVALUATIONS)"),
        ("agents=dict", "agents=lambda: KINDS"),
    ):
        assert old in game
        game = game.replace(old, new)
    (tmp_path / "pig.py").write_text(f"{rules}{advice}\n\nGAME = Game({game}")
    for first in ("holder", "mcts:simulations=20", "expectimax:depth=2", "easy"):
        played = f"['arena', 'pig', '{first}', 'random', '--games', '2', '-o', 'target=10', '--json']"
        program = f"import pig, ludens.core.registry as r, ludens.cli.main as m; r.register(pig.GAME); m.main({played})"
        environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["games"] == 2


def test_the_architecture_page_names_every_folder_of_the_package() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    folders = [path.name for path in (ROOT / "ludens").iterdir() if (path / "__init__.py").exists()]
    assert [name for name in folders if f"`{name}/`" not in page] == []


def test_every_file_that_the_architecture_page_names_is_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    named = re.findall(r"`([\w.]+(?:/[\w.]+)+)`|`([\w.]+(?:/[\w.]+)*/)`", page)
    paths = [file or folder for file, folder in named if "/" in (file or folder).rstrip("/")]
    assert len(paths) > 60
    relative = ("text/", "rules/")  # of any game's folder
    missing = [path for path in paths if not any((base / path).exists() for base in (ROOT, ROOT / "ludens"))]
    assert [path for path in missing if not path.startswith(relative)] == []
