"""The build's check: wheels and source archives hold the built page and the rules, or are not built at all."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

__all__ = ["LudensBuildHook"]

PAGE = "ludens/server/static"
RULES = "docs/rules"


class LudensBuildHook(BuildHookInterface):
    """Refuses to build without the page; an editable install serves whatever the working tree has."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Checks the page, then lays the rules beside the package, where a wheel's server finds them."""
        if version == "editable":
            return
        missing = missing_files(Path(self.root) / PAGE)
        if missing:
            sys.exit(
                f"Ludens is not built without its page ({PAGE}/{missing[0]} is missing): "
                "run `make page` or `python web/build.py`, then build again."
            )
        if self.target_name == "wheel":
            build_data["force_include"][str(Path(self.root) / RULES)] = "ludens/rules"


def missing_files(page: Path) -> list[str]:
    """What the page lacks: its index, or a file that its index names."""
    index = page / "index.html"
    if not index.is_file():
        return [index.name]
    named = re.findall(r'(?:src|href)="/([^"]+)"', index.read_text(encoding="utf-8"))
    return [name for name in named if not (page / name).is_file()]
