"""A report as blocks, written as one HTML page or as Markdown with its figures beside it."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ludens.core.film import boards_script
from ludens.lab.report.figures import INK, LINE

__all__ = ["Cell", "Document", "Figure", "Film", "Heading", "Note", "Table", "Text", "to_html", "to_markdown"]


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its text, and for the page a shade from -1 (bad) to 1 (good) or a mark."""

    text: str
    shade: float | None = None
    mark: str = ""  # "agrees", "differs", "strong", "faint"
    title: str = ""  # shown when pointed at


@dataclass(frozen=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True)
class Text:
    text: str  # `code` and **bold** are understood; paragraphs are parted by empty lines


@dataclass(frozen=True)
class Note:
    """A remark in smaller letters."""

    text: str


@dataclass(frozen=True)
class Table:
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell | str]]
    caption: str = ""
    texts: int = 1  # so many columns from the left are words, the others figures


@dataclass(frozen=True)
class Figure:
    name: str  # of its file beside the Markdown
    svg: str
    caption: str


@dataclass(frozen=True)
class Film:
    """A game to step through; only the page shows it."""

    element: str
    caption: str


@dataclass
class Document:
    title: str
    subtitle: str = ""
    blocks: list[Heading | Text | Note | Table | Figure | Film] = field(default_factory=list)

    def add(self, *blocks: Heading | Text | Note | Table | Figure | Film) -> None:
        self.blocks += blocks


_LONG = 44  # letters of a cell beyond which it has several lines
_STYLE = """
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #22252b; --soft: #646a76; --line: #dedbd2; --card: #ffffff;
  --good: 46, 125, 90; --bad: 190, 85, 45; --accent: #2f5fa8; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181d; --ink: #e6e4de; --soft: #9aa0ac; --line: #343842;
  --card: #1d2026; --good: 90, 180, 135; --bad: 230, 130, 85; --accent: #8db4ee; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
header { border-bottom: 1px solid var(--line); margin-bottom: 2rem; padding-bottom: 1.25rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
header p { color: var(--soft); margin: 0; }
h2 { font-size: 1.4rem; margin: 3rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin: 2rem 0 .4rem; }
p { max-width: 46rem; margin: .6rem 0; }
p.note { color: var(--soft); font-size: .88rem; }
code { font: .88em ui-monospace, Consolas, monospace; background: color-mix(in srgb, var(--line) 45%, transparent);
  padding: .08em .32em; border-radius: .25em; overflow-wrap: anywhere; }
nav { font-size: .92rem; margin: 1rem 0 0; }
nav a { color: var(--accent); margin-right: 1.1rem; text-decoration: none; }
nav a:hover { text-decoration: underline; }
figure { margin: 1.4rem 0; }
figure svg { width: 100%; height: auto; max-height: 40rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem; padding: .6rem; }
figure svg text { font-family: inherit !important; }
figure svg { min-width: 34rem; }
figcaption { color: var(--soft); font-size: .88rem; max-width: 46rem; padding: .4rem 0; }
figure ludens-game { height: 38rem; border: 1px solid var(--line); border-radius: .6rem; overflow: hidden; }
.wide { overflow-x: auto; }
figure.table { margin: 1rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th { text-align: right; font-weight: 600; color: var(--soft); vertical-align: bottom; }
thead th { border-bottom: 1px solid var(--soft); }
th, td { padding: .34rem .6rem; white-space: nowrap; }
td { text-align: right; border-bottom: 1px solid var(--line); }
th.word, td.word { text-align: left; }
td.agrees { color: rgb(var(--good)); font-weight: 600; }
td.differs { color: rgb(var(--bad)); font-weight: 600; }
td.strong { font-weight: 650; }
th.long, td.long { white-space: normal; min-width: 16rem; overflow-wrap: anywhere; }
td.faint { color: var(--soft); }
@media print { :root { --paper: #fff; } h2 { break-before: auto; } figure, table { break-inside: avoid; } }
"""


def to_html(document: Document) -> str:
    """The page; nothing is loaded from elsewhere."""
    parts = []
    links = []
    for number, block in enumerate(document.blocks):
        if isinstance(block, Heading) and block.level == 2:
            links.append(f'<a href="#s{number}">{html.escape(block.text)}</a>')
        parts.append(_html(block, number))
    if any(isinstance(block, Film) for block in document.blocks):
        parts.append(boards_script())
    contents = f"<nav>{''.join(links)}</nav>" if len(links) > 1 else ""
    title = html.escape(document.title)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<header><h1>{title}</h1>"
        f"<p>{_inline(document.subtitle)}</p>{contents}</header>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
    )


def _html(block: Heading | Text | Note | Table | Figure | Film, number: int) -> str:
    if isinstance(block, Heading):
        return f'<h{block.level} id="s{number}">{html.escape(block.text)}</h{block.level}>'
    if isinstance(block, Text):
        return "\n".join(f"<p>{_inline(part)}</p>" for part in block.text.split("\n\n"))
    if isinstance(block, Note):
        return f'<p class="note">{_inline(block.text)}</p>'
    if isinstance(block, Film):
        return f"<figure>{block.element}<figcaption>{html.escape(block.caption)}</figcaption></figure>"
    if isinstance(block, Figure):
        svg = block.svg[block.svg.index("<svg") :].replace(INK, "currentColor").replace(LINE, "var(--line)")
        words = html.escape(block.caption)
        svg = svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(block.caption, quote=True)}" ', 1)
        return f'<figure><div class="wide">{svg}</div><figcaption>{words}</figcaption></figure>'
    heads = "".join(
        f"<th{_word(k, block)} scope='col'>{_inline(head)}</th>" for k, head in enumerate(block.heads)
    ).replace("'", '"')
    rows = "\n".join(
        "<tr>" + "".join(_html_cell(cell, k, block) for k, cell in enumerate(row)) + "</tr>" for row in block.rows
    )
    # The caption stands beside the table and not in it: there it would be as wide, or as narrow.
    caption = f"<figcaption>{_inline(block.caption)}</figcaption>" if block.caption else ""
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<figure class="table"><div class="wide">{table}</div>{caption}</figure>'


def _word(column: int, table: Table) -> str:
    classes = [*(["word"] if column < table.texts else []), *(["long"] if len(table.heads[column]) > _LONG else [])]
    return f' class="{" ".join(classes)}"' if classes else ""


def _html_cell(cell: Cell | str, column: int, table: Table) -> str:
    if isinstance(cell, str):
        cell = Cell(cell)
    classes = [*(["word"] if column < table.texts else []), *([cell.mark] if cell.mark else [])]
    classes += ["long"] if len(cell.text) > _LONG else []
    style = ""
    if cell.shade is not None:
        tone = "good" if cell.shade >= 0 else "bad"
        style = f' style="background: rgba(var(--{tone}), {min(1.0, abs(cell.shade)) * 0.45:.2f})"'
    names = f' class="{" ".join(classes)}"' if classes else ""
    title = f' title="{html.escape(cell.title, quote=True)}"' if cell.title else ""
    return f"<td{names}{style}{title}>{_inline(cell.text)}</td>"


def _inline(text: str) -> str:
    escaped = html.escape(text, quote=False)
    escaped = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", escaped)


def _markdown_cell(cell: Cell | str) -> str:
    """The text of a cell; what is marked as strong is strong here, too."""
    if isinstance(cell, str):
        return cell
    return f"**{cell.text}**" if cell.mark == "strong" else cell.text


def to_markdown(document: Document, folder: str) -> tuple[str, dict[str, str]]:
    """The text, and the figures by the names of their files in that folder."""
    parts = [f"# {document.title}", document.subtitle]
    figures = {}
    for block in document.blocks:
        if isinstance(block, Heading):
            parts.append(f"{'#' * block.level} {block.text}")
        elif isinstance(block, Text | Note):
            parts.append(block.text)
        elif isinstance(block, Figure):
            figures[f"{block.name}.svg"] = block.svg
            parts.append(f"![{block.caption}]({folder}/{block.name}.svg)\n\n*{block.caption}*")
        elif isinstance(block, Film):
            parts.append(f"{block.caption} The page of this report shows it on the board, move by move.")
        else:
            rows = [list(block.heads), [":--" if k < block.texts else "--:" for k in range(len(block.heads))]]
            rows += [[_markdown_cell(cell) for cell in row] for row in block.rows]
            lines = [f"| {' | '.join(cell.replace('|', '¦') for cell in row)} |" for row in rows]
            parts.append("\n".join(lines) + (f"\n\n{block.caption}" if block.caption else ""))
    return "\n\n".join(part for part in parts if part) + "\n", figures
