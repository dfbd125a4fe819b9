"""Maps: what the loader accepts, refuses and knows of London (SY-16 … SY-18, SY-21)."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.rng import CHANCE_STREAM, POLICY, generator
from ludens.core.spec import Game
from ludens.games.scotland_yard import GRID, LONDON, grid_game, london_game
from ludens.games.scotland_yard.rules import maps
from ludens.games.scotland_yard.rules.distances import distance_table
from ludens.games.scotland_yard.rules.maps import TRANSPORTS, grid_map, load_map, london, parse_map
from ludens.games.scotland_yard.rules.tables import neighbours, tables_of
from ludens.games.scotland_yard.state import MAX_STATIONS, WORD_BITS

FILE = Path(maps.__file__).parent.parent / "data" / "london.json"


@pytest.fixture
def document() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def test_sy_16_17_london_has_199_stations_and_467_connections() -> None:
    board = london()
    assert len(board.numbers) == 199
    assert board.numbers == tuple(range(1, 200))
    kinds = Counter(TRANSPORTS[kind] for _, _, kind in board.connections)
    assert kinds == {"taxi": 345, "bus": 99, "underground": 20, "ferry": 3}
    assert len(set(board.connections)) == 467
    assert all(0 <= x <= 1000 and 0 <= y < 746 for x, y in board.places)


def test_sy_16_the_ferries_are_the_three_of_london() -> None:
    board = london()
    ferries = {(board.numbers[a], board.numbers[b]) for a, b, kind in board.connections if kind == maps.FERRY}
    assert ferries == {(108, 115), (115, 157), (157, 194)}


def test_sy_18_every_station_has_a_taxi_and_fewer_have_more() -> None:
    board = london()
    served = {kind: {i for a, b, k in board.connections if k == kind for i in (a, b)} for kind in range(4)}
    assert len(served[0]) == 199
    assert 199 > len(served[1]) > len(served[2]) > len(served[3]) == 4


def test_sy_21_start_cards_of_the_current_edition() -> None:
    board = london()
    detectives = [board.numbers[i] for i in board.detective_starts]
    assert detectives == [13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174]
    assert [board.numbers[i] for i in board.mr_x_starts] == [35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172]


def test_sy_16_the_board_of_1983_has_one_taxi_line_more_and_one_deck() -> None:
    old, new = london("classic_1983"), london()
    line = (new.index(13), new.index(14), 0)
    assert set(old.connections) - set(new.connections) == {line}
    assert set(new.connections) <= set(old.connections)
    assert old.detective_starts == old.mr_x_starts
    assert len(old.mr_x_starts) == 18
    assert old.digest != new.digest


def test_sy_16_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match="classic_1983"):
        london("classic_1938")


def _set(key: str, value: Any) -> Any:
    return lambda d: d.__setitem__(key, value)


def _replace_station(entry: Any) -> Any:
    return lambda d: d["stations"].__setitem__(0, entry)


MALFORMED = {
    "not an object": (lambda d: [], "JSON object"),
    "no stations": (lambda d: d.pop("stations"), "'stations'"),
    "connections not a list": (_set("connections", {}), "'connections'"),
    "no starts": (_set("mrx_starts", []), "'mrx_starts'"),
    "station without x": (_replace_station({"id": 1, "y": 2}), "id, x and y"),
    "station id not a number": (_replace_station({"id": "1", "x": 0, "y": 0}), "whole number"),
    "station place not a number": (_replace_station({"id": 1, "x": "left", "y": 0}), "Station 1 needs numbers"),
    "station twice": (lambda d: d["stations"].append({"id": 7, "x": 0, "y": 0}), "Station 7 is listed twice"),
    "too many": (
        lambda d: d["stations"].extend({"id": 1000 + i, "x": 0, "y": 0} for i in range(50)),
        "at most 240 stations",
    ),
    "short connection": (lambda d: d["connections"].append([1, 2]), "station, station, transport"),
    "unknown station": (lambda d: d["connections"].append([1, 777, "taxi"]), "not on the map: 777"),
    "unknown transport": (lambda d: d["connections"].append([1, 2, "tram"]), "taxi, bus, underground, ferry"),
    "loop": (lambda d: d["connections"].append([5, 5, "bus"]), "with itself"),
    "connection twice": (lambda d: d["connections"].append([8, 1, "taxi"]), "listed twice"),
    "no taxi": (lambda d: d["stations"].append({"id": 200, "x": 1, "y": 1}), "Station 200 has no taxi"),
    "taxis apart": (
        lambda d: (
            d["stations"].extend([{"id": 200, "x": 1, "y": 1}, {"id": 201, "x": 1, "y": 1}]),
            d["connections"].append([200, 201, "taxi"]),
        ),
        "Taxis do not join station 200",
    ),
    "start not on the map": (lambda d: d["mrx_starts"].append(999), "not on the map: 999"),
    "start twice": (lambda d: d["detective_starts"].append(13), "names station 13 twice"),
    "few starts": (_set("detective_starts", [13, 26]), "at least 5"),
    "starts all shared": (_set("mrx_starts", [13, 26]), "cannot all occupy"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_sy_16_a_malformed_map_is_refused_with_what_is_wrong(document: dict[str, Any], case: str) -> None:
    spoil, message = MALFORMED[case]
    spoiled = copy.deepcopy(document)
    result = spoil(spoiled)
    with pytest.raises(BadInput, match=message):
        parse_map(result if isinstance(result, list) and not result else spoiled)


def test_sy_16_a_london_without_its_ferries_is_not_london(
    tmp_path: Path, document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    document["connections"] = [line for line in document["connections"] if line[2] != "ferry"]
    file = tmp_path / "london.json"
    file.write_text(json.dumps(document))
    assert len(load_map(file).connections) == 464, "any other map may lack ferries"
    monkeypatch.setattr(maps, "_LONDON_FILE", file)
    with pytest.raises(BadInput, match="108–115"):
        london()


def test_sy_16_files_that_are_missing_or_not_json_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.json cannot be read"):
        load_map(tmp_path / "nowhere.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(BadInput, match=r"broken\.json is not JSON"):
        load_map(tmp_path / "broken.json")


def test_sy_16_any_other_map_in_the_format_is_played_by_the_same_rules() -> None:
    game = london_game(grid_map(4, 6), "paper_town", "Paper Town", "A small town.")
    assert game.spec.actions == 24 + 5 + 2
    for seed in range(20):
        state = record.blank(game.dtype)
        values = game.options()
        kernels.reset_at(state, 0, values)
        legal, log = np.zeros(game.spec.actions, np.int64), np.zeros(game.spec.longest(values) or 0, np.int64)
        kernels.random_game(state, generator(seed, CHANCE_STREAM), generator(seed, POLICY), legal, log)
        assert state["ending"][0] > 0


def test_sy_2_the_two_games_have_records_of_their_own() -> None:
    assert (LONDON.spec.name, GRID.spec.name) == ("scotland_yard", "scotland_yard_grid")
    assert LONDON.dtype != GRID.dtype
    with pytest.raises(BadInput, match="taxis alone"):
        grid_game(london(), "wrong", "Wrong", "Not a grid.")


def test_sy_16_the_map_reaches_the_page_whole(document: dict[str, Any]) -> None:
    shown = LONDON.text.static_to_json(LONDON.dtype)
    assert shown["stations"] == document["stations"]
    assert sorted(shown["connections"]) == sorted(document["connections"])
    assert (shown["detective_starts"], shown["mrx_starts"]) == (document["detective_starts"], document["mrx_starts"])
    assert LONDON.text.static_to_json(GRID.dtype)["columns"] == 5


@pytest.mark.parametrize("game", [LONDON, GRID])
def test_the_tables_of_a_map_fit_the_64_kb_of_constants_that_a_gpu_has(game: Game) -> None:
    found = [*tables_of(game.dtype), *distance_table(record.blank(game.dtype)[0])]
    assert sum(table.nbytes for table in found) <= 63 * 1024


def test_sy_24_rows_of_the_tables_are_shared_where_tickets_reach_the_same_stations() -> None:
    board = tables_of(LONDON.dtype)
    for ticket, kind in enumerate(("taxi", "bus", "underground", "any")):
        for station in range(len(london().numbers)):
            lines = [line for line in london().connections if station in line[:2]]
            wanted = {a + b - station for a, b, by in lines if kind in ("any", TRANSPORTS[by])}
            assert neighbours(LONDON.dtype, ticket, station) == sorted(wanted)
            assert board.degree[ticket, station] == len(wanted)
            words = [int(word) for word in board.masks[board.row[ticket, station]]]
            assert {i for i in range(MAX_STATIONS) if words[i // WORD_BITS] >> (i % WORD_BITS) & 1} == wanted
    assert len(board.targets) < board.row.size // 2
