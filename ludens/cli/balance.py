"""`ludens balance`: what an option of a game changes, for agents of two strengths."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludens.cli.console import Json, Options, Workers, output_console, parse_pairs, print_json

__all__ = ["balance"]


def balance(
    game: Annotated[str, typer.Argument(help="The game, or a TOML file that says all of this.")],
    vary: Annotated[
        list[str] | None, typer.Option("--vary", help="An option and its values, as option=a,b,…; repeat it.")
    ] = None,
    weak: Annotated[str, typer.Option("--weak", help="The weaker agent.")] = "easy",
    strong: Annotated[str, typer.Option("--strong", help="The stronger agent.")] = "medium",
    games: Annotated[int, typer.Option("--games", "-n", help="Games of every way to seat the agents.")] = 200,
    reviews: Annotated[
        int, typer.Option("--reviews", help="Games of every agent that are reviewed for the share of luck; 0: none.")
    ] = 0,
    simulations: Annotated[int, typer.Option("--simulations", help="Simulations of a review, a decision.")] = 200,
    players: Annotated[int | None, typer.Option("--players", help="How many players.")] = None,
    option: Options = None,
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds give equal results.")] = 0,
    workers: Workers = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Play on a Ray cluster: auto, or its address.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder of results and report; the same one goes on.")
    ] = None,
    json: Json = False,
) -> None:
    """Play a game under several rules and show what they change: seats, length, leads, choices, luck, spread."""
    import sys

    from ludens.cli.console import stopping_says, tournament_progress
    from ludens.core import registry
    from ludens.core.errors import BadInput
    from ludens.core.files import make_folder
    from ludens.core.inputs import with_players
    from ludens.lab.balance import (
        balance_schedules,
        figures_of,
        read_balance,
        review_luck,
        write_balance_report,
    )
    from ludens.play.cluster import executor_for
    from ludens.play.executors import Growing
    from ludens.play.tournament import check_tournament, play_tournament

    given: dict[str, Any] = dict(with_players(parse_pairs(option or []), players) or {})
    values = {name: text.split(",") for name, text in parse_pairs(vary or []).items()}
    name = game
    if game.endswith(".toml"):
        if vary or given:
            raise BadInput(f"What {game} varies cannot be changed here; write another file.")
        plan = read_balance(game)
        name, values, given = plan.game, plan.vary, plan.options
        weak, strong, games, reviews, simulations, seed = (
            *(plan.weak, plan.strong, plan.games, plan.reviews, plan.simulations, plan.seed),
        )
        out = out or Path(game).with_suffix("")
    found = registry.game(name)
    if reviews < 0 or games < 1:
        raise BadInput("A balance plays 1 game or more of every kind, and reviews 0 or more.")
    schedules = balance_schedules(found, values, (weak, strong), games, seed, given)
    folder = make_folder(out or Path("balance") / f"{name}-{'-'.join(values)}")
    results = folder / "results.db"
    for rules, schedule in schedules.items():
        check_tournament(schedule, results, rules)
    with (
        stopping_says(lambda: f"What is finished is in {folder}; the same command goes on."),
        Growing(workers) if cluster is None else executor_for(cluster=cluster) as executor,
    ):
        for rules, schedule in schedules.items():
            with tournament_progress(f"{found.spec.title}: {rules}") as show:
                play_tournament(schedule, results, rules, workers, show, executor)
        luck = {}
        if reviews:
            luck = review_luck(results, list(schedules), reviews, simulations, executor, folder / "reviews.json")
    variations = [figures_of(results, rules, luck) for rules in schedules]
    command = " ".join(["ludens", *sys.argv[1:]])
    page, _ = write_balance_report(found, (weak, strong), schedules, variations, results, folder / "report", command)
    if json:
        print_json({"game": found.spec.identity, "variations": [one.to_json() for one in variations]})
        return
    from rich import box
    from rich.table import Table

    table = Table(title=f"{found.spec.title}: what the rules change", box=box.SIMPLE_HEAD, title_style="bold")
    for heading in ("Rules", "Agent", "Seats", "Decisions", "Lead changes", "Choices", "Luck", "Spread"):
        table.add_column(heading)
    for one in variations:
        for agent in one.seats:
            table.add_row(
                one.name,
                agent,
                " ".join(f"{own.value:.0%}" for own in one.seats[agent]),
                str(one.length[agent]),
                str(one.lead_changes[agent]),
                str(one.choices[agent]),
                one.luck[agent].percent,
                str(one.spread) if agent == "strong" else "",
            )
    output_console().print(table)
    output_console().print(f"The report: {page}", markup=False, soft_wrap=True)
