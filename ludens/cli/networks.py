"""`ludens networks`: the networks that ship, and the card of one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludens.cli.console import Json, output_console, print_json

__all__ = ["networks"]


def networks(
    network: Annotated[
        str | None, typer.Argument(help="One network only: its name, or the file of one of your own.")
    ] = None,
    json: Json = False,
) -> None:
    """List the networks that ship, with the SHA-256 of their files; or show the card of one."""
    from ludens.core.errors import did_you_mean
    from ludens.networks.shipped import FOLDER, card

    files = {path.stem: path for path in sorted(FOLDER.glob("*.safetensors"))}
    if network is not None:
        if network not in files and not Path(network).suffix:
            raise did_you_mean(network, files, "network")
        files = {network: files.get(network, Path(network))}
    cards = [card(path) for path in files.values()]
    if json:
        print_json({"networks": cards})
    elif network is not None:
        _show(cards[0])
    else:
        for one in cards:
            line = f"{one['name']:<22}{one['parameters']:>9,} numbers  {_options(one)}  sha256 {one['sha256']}"
            output_console().print(line, markup=False, soft_wrap=True)


def _options(one: dict[str, Any]) -> str:
    return ", ".join(f"{name}={'|'.join(map(str, values))}" for name, values in one["options"].items())


def _show(one: dict[str, Any]) -> None:
    for key, value in one.items():
        told = value.items() if isinstance(value, dict) else [("", value)]
        for name, item in told:
            shown = ", ".join(f"{k}={v}" for k, v in item.items()) if isinstance(item, dict) else item
            output_console().print(f"{' '.join(filter(None, (key, name)))}: {shown}", markup=False, soft_wrap=True)
