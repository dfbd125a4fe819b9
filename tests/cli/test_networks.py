"""`ludens networks`: every network that ships, by the SHA-256 of its file."""

from __future__ import annotations

import hashlib
import json

from ludens.networks.shipped import FOLDER
from tests.cli.conftest import Ludens


def test_every_network_that_ships_is_listed_with_the_hash_of_its_file(ludens: Ludens) -> None:
    cards = json.loads(ludens("networks", "--json").out)["networks"]
    files = sorted(FOLDER.glob("*.safetensors"))
    assert [one["name"] for one in cards] == [path.stem for path in files]
    for one, path in zip(cards, files, strict=True):
        assert one["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert one["training"] and one["parameters"] > 0
