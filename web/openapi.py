"""Writes the server's OpenAPI document to `openapi.json`, from which `npm run types` makes the page's types."""

from __future__ import annotations

import json
from pathlib import Path

from ludens.server.app import create_app
from ludens.server.settings import Settings

__all__ = ["main"]


def main() -> None:
    document = create_app(Settings(database="sqlite://")).openapi()
    target = Path(__file__).with_name("openapi.json")
    target.write_text(json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
    print(f"Wrote {target.name}.")


if __name__ == "__main__":
    main()
