"""Every page of the documentation holds: links lead somewhere, code runs, commands exist, and the site builds."""

from __future__ import annotations

import ast
import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import yaml
from markdown.extensions.toc import slugify

from ludens.cli.main import app

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "experiments/**/*.md", ".github/*.md")
    for path in ROOT.glob(pattern)
    if "site" not in path.relative_to(ROOT).parts
)
MADE_BY_THE_SITE = {ROOT / "docs" / "reference.md"}
RUN_BY_OTHER_TESTS = {  # pages whose code other tests run as it stands
    "docs/adapters.md": "tests/external/test_docs.py",
    "docs/adding_a_game.md": "tests/test_docs.py",
    "docs/bots.md": "tests/server/test_clients.py",
}
NOT_RUN = "<!-- not run:"  # stands before a block that only shows something, and says why
USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]  # Typer keeps it to itself
COMMAND_LANGUAGES = ("sh", "bat", "")
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))


class Block:
    """A piece of code on a page: its language, its text, and whether the page says that it is not to be run."""

    def __init__(self, language: str, code: str, shown_only: bool) -> None:
        self.language = language
        self.code = code
        self.shown_only = shown_only
        self.session = language == "python" and code.lstrip().startswith(">>>")

    @property
    def source(self) -> str:
        """The code itself, of a session without what is answered."""
        examples = doctest.DocTestParser().get_examples(self.code) if self.session else []
        return "".join(example.source for example in examples) if self.session else self.code


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order; indented ones count as commands."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        before = text[: match.start()].rstrip().rsplit("\n", 1)[-1]
        found.append(Block(match[1], match[2], before.startswith(NOT_RUN)))
    for match in re.finditer(r"(?:^\n)((?: {4}\S[^\n]*\n)+)", without_fences(text), re.MULTILINE):
        found.append(Block("", re.sub(r"^ {4}", "", match[1], flags=re.MULTILINE), False))
    return found


def without_fences(text: str) -> str:
    """A page's text without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def prose(page: Path) -> str:
    """A page's text without code and comments."""
    text = without_fences(page.read_text(encoding="utf-8"))
    return re.sub(r"`[^`\n]*`|<!--.*?-->", "", text, flags=re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Where links into a page may point: its headings, as Markdown names them, and its own anchors."""
    text = without_fences(page.read_text(encoding="utf-8"))
    named = set(re.findall(r'<a id="([^"]+)"></a>', text))
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", text, re.MULTILINE):
        named.add(slugify(re.sub(r"`|\*|<[^>]*>|\[([^\]]*)\]\([^)]*\)", r"\1", heading), "-"))
    return named


def commands(block: Block) -> list[list[str]]:
    """The commands of a block of shell lines, without comments, input and here-documents."""
    text = re.sub(r"<<'(\w+)'\n.*?^\1$", "", block.code, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\\\n", " ", text)
    lines = (re.split(r"\s<\s|\s>\s|\s\|\s|\s&&\s", line)[0] for line in text.splitlines())
    return [words for line in lines if (words := shlex.split(line.replace("\\", "/"), comments=True))]


@each_page
def test_links_lead_to_files_and_headings(page: Path) -> None:
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        if there in MADE_BY_THE_SITE:
            continue
        if not there.exists() or (anchor and anchor not in anchors(there)):
            wrong.append(target)
    assert wrong == []


@each_page
def test_python_can_be_read(page: Path) -> None:
    for block in blocks(page):
        if block.language == "python":
            ast.parse(block.source)
        if block.language == "json":
            json.loads(block.code)


RUNNABLE = [
    page
    for page in PAGES
    if str(page.relative_to(ROOT).as_posix()) not in RUN_BY_OTHER_TESTS
    and any(block.language == "python" and not block.shown_only for block in blocks(page))
]


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_runs_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    wanted = [block for block in blocks(page) if block.language == "python" and not block.shown_only]
    sessions = "\n".join(block.code for block in wanted if block.session)
    (tmp_path / "page.py").write_text("\n".join(block.code for block in wanted if not block.session), encoding="utf-8")
    (tmp_path / "sessions.txt").write_text(sessions, encoding="utf-8")
    for command in (["page.py"], ["-m", "doctest", "-o", "ELLIPSIS", "-o", "NORMALIZE_WHITESPACE", "sessions.txt"]):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_pages_that_other_tests_run_are_read_there() -> None:
    for page, test in RUN_BY_OTHER_TESTS.items():
        assert Path(page).name in (ROOT / test).read_text(encoding="utf-8"), f"{test} does not read {page}."


@each_page
def test_commands_exist(page: Path) -> None:
    wrong = []
    for block in blocks(page):
        if block.language not in COMMAND_LANGUAGES:
            continue
        for words in commands(block):
            wrong += [f"{' '.join(words)}: {problem}" for problem in problems(words)]
    inline = re.findall(r"`(ludens [^`\n]+)`", without_fences(page.read_text(encoding="utf-8")))
    for code in inline:
        wrong += [f"{code}: {problem}" for problem in problems(shlex.split(code))]
    assert wrong == []


def problems(words: list[str]) -> list[str]:
    """What is wrong with a command of a program that belongs to this repository."""
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words = words[1:]
    program, arguments = Path(words[0]).name.removesuffix(".exe") if words else "", words[1:]
    if program == "ludens":
        return ludens_problems(arguments)
    if program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        return [f"no target {word}" for word in arguments if word not in targets and "=" not in word]
    if program == "npm" and arguments[:1] == ["run"]:
        scripts = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["scripts"]
        return [] if arguments[1] in scripts else [f"no script {arguments[1]}"]
    if program in ("python", "python3", "py", "pytest"):
        paths = [word.split("::")[0] for word in arguments if re.match(r"(experiments|benchmarks|tests|web)/", word)]
        return [f"{path} does not exist" for path in paths if not (ROOT / path).exists()]
    return []


def ludens_problems(arguments: list[str]) -> list[str]:
    """What the real command line would refuse; words in capitals stand for something of the reader's."""
    filled = ["1" if re.fullmatch(r"[A-Z]+|…", word) else word for word in arguments if word != "…"]
    commands = getattr(typer.main.get_command(app), "commands")  # noqa: B009
    if not filled or filled[0].startswith("-"):
        return [] if not filled or filled[0] in ("--version", "--help", "-h") else [f"no option {filled[0]}"]
    if filled[0] not in commands:
        return [f"no command {filled[0]}"]
    if len(filled) == 1:  # a command that is only named
        return []
    command, rest = commands[filled[0]], filled[1:]
    try:
        while subcommands := getattr(command, "commands", None):
            context = command.make_context(command.name, rest)
            words = [*context._protected_args, *context.args]  # as click hands them to the subcommand
            name, command, rest = command.resolve_command(context, words)
            assert name in subcommands
        command.make_context(command.name, rest)
    except typer.Exit:  # --help
        return []
    except USAGE_ERROR as error:
        return [str(error)]
    return []


def test_a_wrong_command_is_noticed() -> None:
    assert ludens_problems(["arena", "azul", "random", "--gmes", "3"])
    assert ludens_problems(["areana"])
    assert problems(["make", "tea"])
    assert problems(["pytest", "tests/nowhere"])
    assert not ludens_problems(["arena", "azul", "random", "random", "--games", "N"])


def test_commands_of_the_workflow_and_of_the_hooks_exist() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    runs = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    lines = [line.removesuffix(" &") for run in runs for line in run.splitlines()]
    lines += [hook["entry"] for repository in hooks["repos"] for hook in repository["hooks"]]
    assert len(lines) > 8
    assert [f"{line}: {problem}" for line in lines for problem in problems(shlex.split(line))] == []
    assert ".ci/run" in lines and os.access(ROOT / ".ci" / "run", os.X_OK)
    for form in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        assert yaml.safe_load(form.read_text(encoding="utf-8"))


def test_the_site_is_complete_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    loaded = set()
    for path in tmp_path.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        loaded |= set(re.findall(r'<(?:script|img|iframe)[^>]*\bsrc="((?:https?:)?//[^"]*)"', text))
        loaded |= {
            url
            for link in re.findall(r"<link\b[^>]*>", text)
            for url in re.findall(r'href="((?:https?:)?//[^"]*)', link)
        }
    for path in tmp_path.rglob("*.css"):
        loaded |= set(
            re.findall(r"(?:@import\s*|url\()[\"']?((?:https?:)?//[^\"')]*)", path.read_text(encoding="utf-8"))
        )
    assert loaded == set()
    assert len(list((tmp_path / "rules").glob("*.html"))) == 4
