"""The process that writes the report of a tournament: figures need much memory for a moment."""

from __future__ import annotations

import sys
from pathlib import Path

from ludens.core.errors import BadInput
from ludens.core.files import write_text
from ludens.lab.report.build import run_report
from ludens.lab.report.document import to_html
from ludens.server.thinking.worker import load_plugins

__all__ = ["main"]


def main() -> None:
    """Arguments: the file of results, the page to write, then the plugins. A refusal is one sentence on the output."""
    path, target, *plugins = sys.argv[1:]
    load_plugins(tuple(plugins))
    try:
        write_text(Path(target), to_html(run_report(path)))
    except BadInput as error:
        print(error)
        sys.exit(2)


if __name__ == "__main__":
    main()
