"""The laboratory of a server: files of results in a folder, one a tournament, and what the page asks of them."""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludens.core import registry
from ludens.core.agent import AgentKind
from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.i18n.messages import say
from ludens.play.results import ResultsFile, Run, is_results_file
from ludens.play.schedule import Schedule, round_robin
from ludens.server.laboratory.playing import Once, Playing
from ludens.server.refusal import Refusal
from ludens.server.settings import Settings
from ludens.server.tables.seating import check_agent
from ludens.server.tables.seats import MAX_NAME

__all__ = ["MOST_AGENTS", "Laboratory"]

MOST_AGENTS = 12
_REPORT = "from ludens.server.laboratory.report_child import main; main()"
_REPORT_PATIENCE = 300.0
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(frozen=True)
class _Described:
    """Statistics of a tournament: after how many games, when they were computed and how long that took."""

    finished: int
    told: dict[str, Any]
    when: float
    took: float

    def serves(self, finished: int, playing: bool) -> bool:
        """Are they good enough? While games are added, a fifth of the time is spent on statistics at most."""
        return finished == self.finished or (playing and time.monotonic() - self.when < max(1.0, 5 * self.took))


class Laboratory:
    """One a server; closed on servers for everybody, where strangers would spend the operator's hours."""

    def __init__(
        self, settings: Settings, check_budget: Callable[[AgentKind, Mapping[str, Any]], None], once: Once
    ) -> None:
        self._folder = settings.laboratory
        self._most = settings.laboratory_games
        self._plugins = settings.plugins
        self._check_budget = check_budget
        self.playing = Playing(settings.workers, settings.plugins, once)
        self._described: dict[str, _Described] = {}
        self._reports: dict[str, asyncio.Lock] = {}

    async def close(self) -> None:
        """Stops what is played; it can be continued when the server is back."""
        await self.playing.close()

    # --- asking ------------------------------------------------------------------------

    async def listed(self) -> list[dict[str, Any]]:
        """All tournaments, the newest first."""
        folder = self._home()
        return await asyncio.to_thread(self._list, folder)

    def _list(self, folder: Path) -> list[dict[str, Any]]:
        found = []
        for path in sorted(folder.glob("*.db"), key=lambda one: -one.stat().st_ctime):
            if not is_results_file(path):
                continue
            try:
                with ResultsFile(path) as file:
                    found.append(self._summary(path.stem, file, file.run()))
            except BadInput:  # of another format, or with several runs: not begun here
                continue
        return sorted(found, key=lambda one: one["begun"], reverse=True)

    def _summary(self, key: str, file: ResultsFile, run: Run) -> dict[str, Any]:
        finished = file.count(run)
        name = run.game_name
        known = name in registry.names()
        status = self.playing.state(key) or ("finished" if finished >= run.total else "stopped")
        return {
            "id": key,
            "name": run.name,
            "game": name,
            "title": registry.game(name).spec.title if known else name,
            "agents": list(run.plan["players"].values()),
            "seats": int(run.plan["options"]["players"]),
            "seed": run.plan["seed"],
            "begun": run.begun,
            "games": run.total,
            "finished": finished,
            "status": status,
            "trouble": self.playing.trouble(key),
            "seconds_left": self.playing.progress(key).get("seconds_left"),
            "in_flight": self.playing.progress(key).get("in_flight", []),
        }

    def _look(self, key: str, path: Path, continued: bool = False) -> dict[str, Any]:
        """The summary; one that is to be continued must be of this version."""
        with ResultsFile(path) as file:
            run = file.run()
            if continued:
                run.continued()
            return self._summary(key, file, run)

    async def described(self, key: str) -> dict[str, Any]:
        """A tournament with its standings and cross table, as far as it was played."""
        path = self._path(key)
        return await asyncio.to_thread(self._describe, key, path)

    def _describe(self, key: str, path: Path) -> dict[str, Any]:
        # Statistics need a library that takes long to load: not before somebody wants them.
        from ludens.lab.laboratory import describe_run
        from ludens.lab.statistics import share_interval

        summary = self._look(key, path)
        known = self._described.get(key)
        if known is None or not known.serves(summary["finished"], summary["status"] == "playing"):
            begun = time.monotonic()
            told = describe_run(path)
            for cells in (told["cross_table"]["ordered"], told["cross_table"]["unordered"]):
                for cell in cells:
                    cell["interval"] = list(share_interval(cell["share"] * cell["games"], cell["games"]))
            now = time.monotonic()
            known = self._described[key] = _Described(told["finished"], told, now, now - begun)
        return {**summary, **{part: known.told[part] for part in ("standings", "ratings", "failures", "cross_table")}}

    async def games(self, key: str, start: int, limit: int) -> dict[str, Any]:
        """A page of the finished games: who sat where, points and how it ended."""
        path = self._path(key)

        def read() -> dict[str, Any]:
            with ResultsFile(path) as file:
                run = file.run()
                numbers = sorted(number for number in file.finished(run) if number >= start)
                shown = [file.game(run, number) for number in numbers[:limit]]
                names = run.players
                games = [
                    {
                        "number": game.number,
                        "agents": [names[seat.player] for seat in game.seats],
                        "scores": [seat.score for seat in game.seats],
                        "results": [seat.result for seat in game.seats],
                        "victories": [seat.victory for seat in game.seats],
                        "seconds": sum(seat.seconds for seat in game.seats),
                        "decisions": sum(seat.decisions for seat in game.seats),
                        "reason": game.reason,
                        "error": game.error,
                    }
                    for game in shown
                ]
                return {"games": games, "next": numbers[limit] if len(numbers) > limit else None}

        return await asyncio.to_thread(read)

    async def saved_game(self, key: str, number: int) -> dict[str, Any]:
        """A game as a saved match, with names that fit a table."""
        path = self._path(key)

        def read() -> dict[str, Any]:
            with ResultsFile(path) as file:
                document = file.document(file.run(), number)
            names = [name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…" for name in document["names"]]
            return {**document, "names": names}

        return await asyncio.to_thread(read)

    async def report(self, key: str) -> str:
        """The report as one page; it is written anew when games have been added."""
        path = self._path(key)
        async with self._reports.setdefault(key, asyncio.Lock()):
            finished = (await asyncio.to_thread(self._look, key, path))["finished"]
            page = path.with_name(f"{key}-{finished}.html")
            if not page.is_file():
                await self._write_report(path, page)
                for old in path.parent.glob(f"{key}-*.html"):
                    if old != page:
                        old.unlink(missing_ok=True)
            return await asyncio.to_thread(page.read_text, encoding="utf-8")

    async def _write_report(self, path: Path, page: Path) -> None:
        command = [sys.executable, "-c", _REPORT, str(path), str(page), *self._plugins]
        process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
        try:
            said, _ = await asyncio.wait_for(process.communicate(), _REPORT_PATIENCE)
        except TimeoutError:
            process.kill()
            await process.wait()
            raise Refusal(
                "unavailable", "The report takes too long; try again in a moment.", retry_after=30.0
            ) from None
        if process.returncode == 2:
            raise Refusal("wrong_status", said.decode().strip())
        if process.returncode:
            raise Refusal("unavailable", "The report could not be written; try again in a moment.", retry_after=10.0)

    # --- changing ----------------------------------------------------------------------

    async def begin(
        self,
        game: Game,
        agents: Sequence[str],
        games: int,
        players: int | None,
        seed: int,
        options: Mapping[str, Any],
        seating: str,
        name: str | None,
    ) -> dict[str, Any]:
        """A new tournament; it is played at once, or when those before it are through."""
        folder = self._home()
        if len(agents) > MOST_AGENTS:
            raise Refusal(
                "bad_request",
                say("A tournament here has {most} agents at most, not {n}.", most=MOST_AGENTS, n=len(agents)),
            )
        chosen = game.options({**options, **({} if players is None else {"players": players})})
        for agent in agents:
            check_agent(game, chosen, agent, self._check_budget)
        schedule = round_robin(game, agents, games, players, seed, options, seating)
        if schedule.total > self._most:
            raise Refusal(
                "bad_request",
                say(
                    "These would be {n} games; a tournament of the laboratory has {most} at most. "
                    "`ludens experiment run` plays longer ones.",
                    n=schedule.total,
                    most=self._most,
                ),
            )
        key = "".join(secrets.choice(_LETTERS) for _ in range(10))
        path = folder / f"{key}.db"
        await asyncio.to_thread(_store, path, name or " – ".join(agents), schedule)
        self.playing.add(key, path)
        return await self.described(key)

    async def go_on(self, key: str) -> dict[str, Any]:
        """Plays what is missing of a tournament that was stopped, or that an end of the server has stopped."""
        path = self._path(key)
        if (await asyncio.to_thread(self._look, key, path, continued=True))["status"] == "finished":
            raise Refusal("wrong_status", "All games of this tournament are played.")
        self.playing.add(key, path)
        return await self.described(key)

    async def stop(self, key: str) -> dict[str, Any]:
        """Plays no further; what is finished stays, and it can be continued."""
        self._path(key)
        await self.playing.stop(key)
        return await self.described(key)

    async def remove(self, key: str) -> None:
        """Removes a tournament with all its games."""
        path = self._path(key)
        await self.playing.stop(key)
        self._described.pop(key, None)
        for file in [path, *path.parent.glob(f"{key}.db-*"), *path.parent.glob(f"{key}-*.html")]:
            file.unlink(missing_ok=True)

    # --- inside ------------------------------------------------------------------------

    def _home(self) -> Path:
        if self._folder is None:
            raise Refusal(
                "laboratory_off",
                "The laboratory is for servers of one's own: start `ludens serve` on your computer, "
                "or allow it here with --laboratory.",
            )
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Refusal(
                "unavailable", say("The laboratory's folder cannot be made: {reason}.", reason=error.strerror)
            ) from error
        return self._folder

    def _path(self, key: str) -> Path:
        path = self._home() / f"{key}.db"
        if not path.is_file():
            raise Refusal("not_found", "There is no such tournament.")
        return path


def _store(path: Path, name: str, schedule: Schedule) -> None:
    with ResultsFile(path, create=True) as file:
        file.begin(name, schedule)
