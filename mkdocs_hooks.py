"""The site's pages that do not lie in docs/: those of the repository itself, and the reference of the public API."""

from __future__ import annotations

import inspect
import posixpath
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from griffe import Extension, Object
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import ludens

__all__ = ["ELSEWHERE", "REFERENCE", "Sessions", "on_files", "on_page_markdown"]

ROOT = Path(__file__).resolve().parent
REFERENCE = "reference.md"
ELSEWHERE = {  # place in the repository -> place on the site
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "LICENSE": "LICENSE.txt",
    **{
        f"experiments/{name}/README.md": f"experiments/{name}.md"
        for name in ("azul", "catan", "champions", "discovery", "scotland_yard")
    },
}
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)")  # what a relative link points at, without its anchor
_SESSION = re.compile(r"^(>>> .*(?:\n(?!\n|$).+)*)", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the repository's pages and the reference."""
    for source, uri in ELSEWHERE.items():
        files.append(File.generated(config, uri, content=(ROOT / source).read_text(encoding="utf-8")))
    files.append(File.generated(config, REFERENCE, content=reference()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Points links at the repository's own files to where those lie on the site."""
    uri = page.file.src_uri
    source = next((path for path, there in ELSEWHERE.items() if there == uri), f"docs/{uri}")
    return _LINK.sub(lambda found: moved(found[1], source, uri), markdown)


def moved(target: str, source: str, uri: str) -> str:
    """A link of a file of the repository, as it must be written on the page of the site that shows that file."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    there = ELSEWHERE.get(path, path.removeprefix("docs/"))
    return posixpath.relpath(there, posixpath.dirname(uri) or ".")


def reference() -> str:
    """A page with the documentation strings of all that `import ludens` offers."""
    lines = ["# Reference", "", "All that `import ludens` offers; everything else is internal.", ""]
    for name in ludens.__all__:
        lines += described(public(name))
    return "\n".join(lines)


def public(name: str) -> Any:
    """What a public name means: a function of `ludens.api` rather than the folder of the same name."""
    interface = import_module("ludens.api") if find_spec("ludens.api") else ludens
    return getattr(interface, name, None) or getattr(ludens, name)


def described(thing: Any) -> list[str]:
    """The lines that have one thing of the public API documented; data has its place in the guide."""
    if inspect.ismodule(thing):
        return [f"::: {thing.__name__}", ""]
    if inspect.isclass(thing) or inspect.isfunction(thing):
        return [f"::: {thing.__module__}.{thing.__qualname__}", ""]
    return []


class Sessions(Extension):
    """Shows the sessions (`>>> …`) in documentation strings as code."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Puts fences around every session of an object's documentation string."""
        if obj.docstring:
            obj.docstring.value = _SESSION.sub(r"```pycon\n\1\n```", obj.docstring.value)
