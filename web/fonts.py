"""Makes the page's fonts: what it needs of Fraunces and Source Sans 3, under our own names (the OFL reserves theirs).

    pip install "fonttools[woff]" && python web/fonts.py

The results are kept in `src/fonts`, so that nobody needs this to build the page.
"""

from __future__ import annotations

from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

WEB = Path(__file__).resolve().parent
PACKAGES = WEB / "node_modules" / "@fontsource"
PUNCTUATION = "–—‘’‚“”„†•…‰′″‹›€→−≈×±"
LATIN = "".join(chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x100))) + PUNCTUATION
BEYOND = "ĂăĄąĆćČčĎďĐđĘęĚěĞğĹĺĽľŁłŃńŇňŐőŒœŔŕŘřŚśŞşŠšŤťŮůŰűŹźŻżŽž"  # and the names of neighbours
CZECH_AND_SLOVAK = "ČčĎďĚěĹĺĽľŇňŔŕŘřŠšŤťŮůŽž"
OURS = "".join(map(chr, range(0x20, 0x7F))) + "ÁÄÉÍÓÔÖÚÜÝßáäéíóôöúüý–—’‚“”„…·×−"  # titles need no more
FEATURES = ["kern", "liga", "locl", "ccmp", "mark", "mkmk", "lnum", "tnum"]
FONTS = {
    "serif": ("fraunces", (600,), "Ludens Serif", OURS, CZECH_AND_SLOVAK),
    "sans": ("source-sans-3", (400, 600), "Ludens Sans", LATIN, BEYOND),
}
NAMED = (1, 3, 4, 6, 16)  # records of the name table that hold the family


def make(source: Path, target: Path, letters: str, family: str) -> None:
    """One file: these letters of a font, under another name."""
    options = subset.Options(flavor="woff2", hinting=False, layout_features=FEATURES, name_IDs=[0, 13, 14, *NAMED])
    options.desubroutinize = True
    font = TTFont(source)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=letters)
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in NAMED:
            record.string = family.replace(" ", "") if record.nameID == 6 else family
    subset.save_font(font, target, options)
    print(f"{target.name}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    for kind, (package, weights, family, common, beyond) in FONTS.items():
        for weight in weights:
            for script, letters in (("latin", common), ("latin-ext", beyond)):
                source = PACKAGES / package / "files" / f"{package}-{script}-{weight}-normal.woff2"
                make(source, WEB / "src" / "fonts" / f"{kind}-{script}-{weight}.woff2", letters, family)
