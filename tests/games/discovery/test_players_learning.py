"""The learning potential player: gradient, samples, coefficients and files (CD-67 … CD-77)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.agents.codes import make_agent
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.games.discovery import GAME
from ludens.games.discovery.players.coefficients import (
    COEFFICIENTS,
    DEFAULT,
    SAMPLE,
    descend,
    gradient_of,
    pick_set,
    read_sets,
    settings_of,
    write_sets,
)
from ludens.games.discovery.players.learning import PotentialTask, add_targets, note_regions
from ludens.games.discovery.players.settings import POTENTIAL, blank_workspace, make_settings
from ludens.games.discovery.rules.tiles import GRASSLAND
from ludens.play.game import play_game
from tests.games.discovery.entries import potential_of, potentials_at

OPTIONS = GAME.options({"players": 2})


def samples_of(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Samples from the positions of a game, and the position of the last ones."""
    match = Match(GAME, {"players": 2}, seed)
    rng, room, found = np.random.default_rng(seed), np.zeros((400, SAMPLE)), []
    state = match.state()
    while not match.over:
        state = match.state()
        n = note_regions(state, settings_of(DEFAULT), blank_workspace(), room)
        found.append(room[:n].copy())
        match.play(int(rng.choice(match.legal())))
    samples = np.concatenate(found)
    add_targets(match.state(), samples)
    return samples, state


def city_chance() -> float:
    return float(make_settings(POTENTIAL)["city_chance"][0][GRASSLAND])


def test_cd_69_there_are_51_coefficients() -> None:
    assert COEFFICIENTS == 51
    assert len(DEFAULT) == 51


def test_cd_68_the_defaults_are_the_formula_without_learning() -> None:
    plain, ours = make_settings(POTENTIAL), settings_of(DEFAULT)
    assert plain.tobytes() == ours.tobytes()
    for seed in range(2):
        one, other = (play_game(GAME, OPTIONS, [code, "greedy"], seed) for code in ("potential", "learning"))
        assert one.choices == other.choices


def test_cd_70_a_sample_holds_the_arguments_of_the_formula() -> None:
    theta = DEFAULT + np.random.default_rng(0).normal(size=51) * 0.3
    settings, room = settings_of(theta), np.zeros((400, SAMPLE))
    match = Match(GAME, {"players": 2}, 3)
    rng = np.random.default_rng(3)
    for _ in range(70):
        match.play(int(rng.choice(match.legal())))
    state, workspace = match.state(), blank_workspace()
    n = note_regions(state, settings, workspace, room)
    potentials, weights = np.zeros(400), np.zeros(400)
    potentials_at(state, 0, settings, blank_workspace(), potentials, weights)
    assert n > 10
    for sample in room[:n]:
        expected = potentials[int(sample[0])]
        assert potential_of(theta, sample, city_chance(), np.zeros(51)) == pytest.approx(expected)


@pytest.mark.parametrize("shared", [False, True])
def test_cd_72_the_gradient_agrees_with_finite_differences(shared: bool) -> None:
    samples, _ = samples_of()
    samples = samples[:: len(samples) // 60]
    theta = DEFAULT + np.random.default_rng(1).normal(size=51) * 0.2
    gradient, nothing = np.zeros(51), np.zeros(51)
    gradient_of(theta, samples, city_chance(), shared, gradient)
    places = [[k] for k in range(51)]
    if shared:
        places = [[k] if k % 17 < 9 else [k % 17, k % 17 + 17, k % 17 + 34] for k in range(51)]
    for k, moved in enumerate(places):
        losses = []
        for step in (1e-5, -1e-5):
            near = theta.copy()
            near[moved] += step
            losses.append(gradient_of(near, samples, city_chance(), False, nothing))
        assert gradient[k] == pytest.approx((losses[0] - losses[1]) / 2e-5, rel=1e-4, abs=1e-4)


def test_cd_71_targets_are_the_scores_of_the_regions_on_the_final_board() -> None:
    samples, _ = samples_of(2)
    assert (samples[:, -1] >= 0).all()
    assert samples[:, -1].max() > 3
    assert (samples[:, -1] == np.round(samples[:, -1])).all()


def test_cd_67_descent_lowers_the_error_and_rejects_what_is_not_finite() -> None:
    samples, _ = samples_of()
    learned, first = descend(DEFAULT, samples, 0.005, 200)
    _, after = descend(learned, samples, 0.005, 1)
    assert after < first
    huge = samples.copy()
    huge[:, 2:] *= 1e200
    assert np.isfinite(descend(DEFAULT, huge, 1.0, 5)[0]).all()
    with pytest.raises(BadInput, match="terrain of a sample"):
        descend(DEFAULT, samples * 1e200, 1.0, 5)
    same, error = descend(DEFAULT, samples[:0], 0.005, 5)
    assert (same == DEFAULT).all()
    assert np.isnan(error)
    stopped, _ = descend(DEFAULT, samples, 0.005, 50, least=1e9)
    assert (stopped == DEFAULT).all()


def test_cd_77_what_was_learned_is_saved_and_taken_up(tmp_path: Path) -> None:
    code = f"learning:save={tmp_path}/set-{{seat}}.json,against=H-Gr"
    for index in range(2):
        play_game(GAME, OPTIONS, [code, "greedy"], index)
    sets, facts = read_sets(tmp_path / "set-0.json")
    assert list(sets) == ["H-Gr/0"]
    assert facts["games"] == 2
    assert (sets["H-Gr/0"] != DEFAULT).any()
    frozen = f"learning:load={tmp_path}/set-0.json,against=H-Gr"
    before = (tmp_path / "set-0.json").read_bytes()
    play_game(GAME, OPTIONS, [frozen, "greedy"], 3)
    assert (tmp_path / "set-0.json").read_bytes() == before


def test_cd_76_sets_are_by_opponent_and_seat(tmp_path: Path) -> None:
    sets = {"H-Gr/0": DEFAULT + 1, "any/0": DEFAULT + 2}
    write_sets(tmp_path / "sets.json", sets, {})
    found, _ = read_sets(tmp_path / "sets.json")
    assert (pick_set(found, "H-Gr", 0) == DEFAULT + 1).all()
    assert (pick_set(found, "MC", 0) == DEFAULT + 2).all()
    assert (pick_set(found, "MC", 1) == DEFAULT).all()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "cut off"),
        ("[]", "format"),
        ('{"format": "ludens-potential/1", "game": "azul@1"}', "game azul@1"),
        ('{"format": "ludens-potential/1", "game": "discovery@1", "features": "x"}', "features x"),
        (
            '{"format": "ludens-potential/1", "game": "discovery@1", "features": "potential-1", "sets": {"a/0": [1]}}',
            "51",
        ),
    ],
)
def test_a_foreign_file_is_refused(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "sets.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=sentence):
        make_agent(GAME, f"learning:load={path}")


def test_a_packaged_set_is_found_by_name() -> None:
    assert {"any/0", "any/1"} <= set(read_sets("thesis")[0])
    make_agent(GAME, "PL")
    with pytest.raises(BadInput, match="did you mean thesis"):
        make_agent(GAME, "learning:load=thesiss")


def test_cd_75_random_starts_follow_from_the_seed() -> None:
    one, other = (play_game(GAME, OPTIONS, ["learning:start=random", "greedy"], 4) for _ in range(2))
    assert one.choices == other.choices


def test_leads_of_coefficients_are_those_of_the_same_games_between_agents(tmp_path: Path) -> None:
    task: Any = PotentialTask(GAME, OPTIONS)
    lead = task.leads(DEFAULT, ["H-Gr"], 1, 6)[0]
    scores = play_game(GAME, OPTIONS, ["potential", "greedy"], 6).scores
    assert lead == scores[0] - scores[1]
    code = task.write(tmp_path / "sets.json", {"H-Gr/0": DEFAULT + 1, "MC/0": DEFAULT + 3}, {})
    document = json.loads((tmp_path / "sets.json").read_text())
    assert document["sets"]["any/0"] == (DEFAULT + 2).tolist()
    assert code == f"learning:load={tmp_path / 'sets.json'}"
    with pytest.raises(BadInput, match="opponent whose games are compiled"):
        task.leads(DEFAULT, ["Ex-2"], 1, 6)
