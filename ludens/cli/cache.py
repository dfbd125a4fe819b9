"""`ludens cache`: the compiled code on this computer."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import Annotated

import typer

from ludens.cli.console import Json, output_console, print_json

__all__ = ["cache"]


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete it; what is needed is compiled again.")] = False,
    json: Json = False,
) -> None:
    """Show or delete the compiled code that is kept on this computer."""
    from ludens.core import kernel_cache

    folder = kernel_cache.cache_folder()
    if clear:
        deleted = kernel_cache.clear()
        if json:
            print_json({"folder": str(folder), "deleted": deleted})
        else:
            output_console().print(f"Deleted {deleted} compiled kernels in {folder}.", soft_wrap=True)
        return
    kernels = kernel_cache.stored()
    total = sum(kernel.size for kernel in kernels)
    modules = Counter(kernel.kernel.rpartition(".")[0] for kernel in kernels)
    limits = {"bytes": kernel_cache.MOST_BYTES, "days": kernel_cache.MOST_DAYS}
    if json:
        summary = {"folder": str(folder), "kernels": len(kernels), "bytes": total, "limits": limits}
        print_json({**summary, "modules": dict(modules)})
        return
    console = output_console()
    console.print(f"{len(kernels)} compiled kernels, {total / 1e6:.1f} MB, in {folder}", soft_wrap=True)
    if kernels:
        last = datetime.datetime.fromtimestamp(kernels[-1].used).strftime("%Y-%m-%d")
        console.print(f"The longest unused was last used on {last}.")
    for module, count in sorted(modules.items()):
        console.print(f"  {count:4}  {module}")
    most = kernel_cache.MOST_BYTES / 1e6
    console.print(f"What was not used for {kernel_cache.MOST_DAYS} days, or goes beyond {most:.0f} MB, is deleted.")
