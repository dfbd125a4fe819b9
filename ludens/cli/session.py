"""A game being played in the terminal: who sits where, narration, board, numbered moves, commands."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from ludens.agents.analysis import analyse_view, begun_move
from ludens.agents.codes import parse_code, short_name
from ludens.cli.console import reference
from ludens.cli.drawing import Drawing, Menu, bullets, narrate, thought_in_words, winners
from ludens.cli.verdicts import distance, line_in_words, reasons_in_words, whole_move
from ludens.core.agent import Agent, Clock, thought_of
from ludens.core.errors import BadInput
from ludens.core.files import read_text, write_text
from ludens.core.match import RECORDED, Match
from ludens.core.renamed import with_new_names
from ludens.core.spec import Game, GameSpec
from ludens.core.verbs import CHANCE, SPECTATOR
from ludens.play.seats import seat_agent, strongest

__all__ = ["HUMAN", "Session", "default_names", "load_match", "parse_seats", "save_match"]


HUMAN = "human"


def parse_seats(game: Game, seats: str | None, players: Any = None) -> list[str]:
    """The code of every seat, `human` or an agent; by default a human against the strongest agents.

    Codes are separated by commas; a part key=value belongs to the agent before it.
    """
    if seats is None:
        count = int(game.options({} if players is None else {"players": players})[0])
        return [HUMAN, *[strongest(game)] * (count - 1)]
    codes: list[str] = []
    for part in seats.split(","):
        if codes and "=" in part and ":" not in part:
            codes[-1] += f",{part}"
        else:
            codes.append(part.strip())
    for code in codes:
        if code != HUMAN:
            _check_agent(game, code)
    allowed = {int(players)} if str(players).isdecimal() else set(game.spec.players)
    if len(codes) not in allowed:
        counts = " or ".join(map(str, sorted(allowed)))
        raise BadInput(f"This game of {game.spec.title} has {counts} seats, not {len(codes)}.")
    return codes


def _check_agent(game: Game, code: str) -> None:
    kind, _ = parse_code(game, code, outside=True)
    if kind.oracle:
        raise BadInput(f"Agent {kind.name} sees hidden things and plays only in the arena.")


def default_names(game: Game, codes: Sequence[str]) -> list[str]:
    """The roles of the seats where the game has them, else what sits there: Human, Heuristic, Heuristic 2."""
    if game.spec.seat_names is not GameSpec.__dataclass_fields__["seat_names"].default:
        return list(game.spec.seat_names(len(codes)))
    plain = [(short := short_name(code))[:1].upper() + short[1:] for code in codes]
    return [
        name if plain[:i].count(name) == 0 else f"{name} {plain[:i].count(name) + 1}" for i, name in enumerate(plain)
    ]


def save_match(match: Match, codes: Sequence[str], file: str | Path) -> Path:
    """Writes the match with its seats; the file is replaced whole or not at all."""
    document = {**match.to_json(), "seats": list(codes)}
    return write_text(file, json.dumps(document, ensure_ascii=False) + "\n")


def load_match(file: str | Path) -> tuple[Match, str | None]:
    """A saved match and its seats as they are written on the command line, if the file names them."""
    text = read_text(file)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file} is not a saved match: it is not JSON.") from error
    match = Match.from_json(document)
    seats = document.get("seats")
    if seats is None:
        return match, None
    if not isinstance(seats, list) or not all(isinstance(code, str) for code in seats):
        raise BadInput(f"The seats in {file} must be a list of words, one a player.")
    return match, ",".join(map(with_new_names, seats))


_HELP = """\
Type the [bold]number[/] of a move, or the move in words.
  [bold]undo[/]       take back your last move and all that followed
  [bold]hint[/]       the best moves, what they are worth and why
  [bold]board[/]      draw the position and the moves again
  [bold]save[/] FILE  save the game; [bold]ludens play FILE[/] continues it
  [bold]quit[/]       leave the game"""
_HINTS = 3  # moves


class _Quit(Exception):
    """The player leaves."""


class Session:
    """A match, who sits where, and a console to talk to."""

    def __init__(self, match: Match, codes: Sequence[str], console: Console, thoughts: bool = False) -> None:
        if thoughts and match.game.spec.hidden and HUMAN in codes:
            raise BadInput(
                "Thoughts would tell what is hidden; they are shown in open games, or where agents play alone."
            )
        self.match = match
        self._thoughts = thoughts
        self.codes = list(codes)
        self.file: Path | None = None  # where a plain `save` goes
        self.save_at_end = False
        self._console = console
        self._drawing = Drawing(match.game)
        self._humans = [seat for seat, code in enumerate(codes) if code == HUMAN]
        self._told = dict.fromkeys([*self._humans, SPECTATOR], match.ply)  # seat -> ply up to which it knows
        if match.ply == len(self._opening()):
            self._told = dict.fromkeys(self._told, 0)  # a new game: the opening is news
        self._at_keyboard = self._humans[0] if self._humans else SPECTATOR
        self._agents: dict[int, Agent] = {}
        self._sit_down()

    def run(self) -> None:
        """Plays until the game is over, the player quits or the input ends."""
        chance = "recorded chance" if self.match.chance == RECORDED else f"seed {self.match.seed}"
        title = f"{self.match.game.spec.title} · {chance}"
        self._console.rule(Text(title, "bold"), style="dim")
        try:
            while not self.match.over:
                if self.match.awaits_draw:
                    self._ask_draw()
                elif self.match.actor in self._agents:
                    self._agent_moves(self.match.actor)
                else:
                    self._human_moves(self.match.actor)
            self._finish()
        except (_Quit, EOFError):
            self._console.print()
            if not self.save_at_end:
                self._console.print("Goodbye; the game was not finished.")
        if self.save_at_end and self.file is not None:
            self._save(self.file)

    # --- agents ------------------------------------------------------------------------

    def _sit_down(self) -> None:
        """New agents on their seats: after undo they must not remember what was taken back."""
        match = self.match
        self._agents = {
            seat: seat_agent(match.game, match.options, code, seat, match.seed, with_people=True)
            for seat, code in enumerate(self.codes)
            if code != HUMAN
        }

    def _agent_moves(self, seat: int) -> None:
        match = self.match
        name = match.names[seat]
        waiting = self._console.status(f"{escape(name)}: thinking …") if self._console.is_terminal else nullcontext()
        with waiting:
            choice = self._agents[seat].choose(match.view(seat), match.legal(), Clock())
        if self._thoughts:
            self._show_thought(seat)
        match.play(int(choice))
        if not self._humans:
            self._tell(SPECTATOR)

    def _show_thought(self, seat: int) -> None:
        """What the agent tells of the choice it has just made, in the position that it saw."""
        thought = thought_of(self._agents[seat])
        if thought is not None:
            words = thought_in_words(thought, self.match.line_text(thought.line))
            self._console.print(Text(f"    {self.match.names[seat]} thought: {words}", "dim"))

    # --- people ------------------------------------------------------------------------

    def _ask_draw(self) -> None:
        """Asks what was drawn: the chance of this game comes from a real table."""
        outcomes = list(self.match.outcomes())
        words = [self.match.game.text.chance_to_text(self.match.state()[0], outcome) for outcome in outcomes]
        answer = self._console.input(Text(f"What is drawn? ({', '.join(words)}): ")).strip()
        if answer.lower() in ("quit", "q", "exit"):
            _leave()
        try:
            self.match.play_chance(answer)
        except BadInput as error:
            self._console.print(Text(str(error), "red"))

    def _human_moves(self, seat: int) -> None:
        """Shows what happened and the position, then asks until a move or a command changes it."""
        if seat != self._at_keyboard and self.match.game.spec.hidden:
            self._draw_curtain(seat)
        self._at_keyboard = seat
        self._tell(seat)
        legal = self._draw(seat)
        ply = self.match.ply
        while self.match.ply == ply:
            try:
                self._obey(self._ask(seat, len(legal)), seat, legal)
            except BadInput as error:
                self._console.print(Text(str(error), "red"))
                if error.rules:
                    self._console.print(Text(reference(error), "dim"))

    def _draw(self, seat: int) -> list[int]:
        """Draws the position and the numbered moves of the seat; returns the moves in that order."""
        view = self.match.view(seat)
        legal = [int(action) for action in self.match.legal()]
        self._console.print(self._drawing.position(view, seat, self.match.names))
        self._console.print(Menu([self._drawing.move(view, action) for action in legal], self._drawing.endings))
        return legal

    def _ask(self, seat: int, moves: int) -> str:
        name = self.match.names[seat]
        prompt = Text.assemble((name, "bold"), f", your move (1 – {moves}, ? for help): ")
        return self._console.input(prompt).strip()

    def _obey(self, line: str, seat: int, legal: list[int]) -> None:
        """Carries out one line of input; what cannot be done raises BadInput and changes nothing."""
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[], object]] = {
            "?": self._help,
            "help": self._help,
            "h": self._help,
            "board": lambda: self._draw(seat),
            "undo": self._undo,
            "u": self._undo,
            "hint": lambda: self._hint(seat, legal),
            "quit": _leave,
            "q": _leave,
            "exit": _leave,
        }
        if not line:
            raise BadInput("Type a move, or ? for help.")
        if line.lower() in commands:
            commands[line.lower()]()
        elif word.lower() == "save":
            self._save(rest.strip() or self.file)
        elif line.isascii() and line.isdigit():
            if not 1 <= int(line) <= len(legal):
                raise BadInput(f"The moves are numbered 1 to {len(legal)}, not {line}.")
            self.match.play(legal[int(line) - 1])
        else:
            self.match.play(line)

    def _help(self) -> None:
        self._console.print(_HELP)
        if self._drawing.help:
            self._console.print(self._drawing.help)

    def _undo(self) -> None:
        """Back to the last choice of a person; agents' moves since then are taken back too."""
        ply = self.match.last_choice(*self._humans)
        self.match.undo(ply)
        self._told = {seat: min(told, ply) for seat, told in self._told.items()}
        self._sit_down()
        self._console.print(Text("Taken back.", "italic"))

    def _hint(self, seat: int, legal: list[int]) -> None:
        """The best moves: what they are worth and how well that is known, why, and how play goes on."""
        match, spec = self.match, self.match.game.spec
        waiting = self._console.status("Looking at the moves …") if self._console.is_terminal else nullcontext()
        with waiting:
            found = analyse_view(
                match.game, match.view(seat), seat, options=match.options, candidates=_HINTS, begun=begun_move(match)
            )
        for candidate in found.candidates:
            points = " : ".join(f"{own:.0f}" for own in candidate.points)
            told = [f"result {candidate.result:+.2f}", *([f"points {points}"] if spec.counts_points else [])]
            if candidate is not found.candidates[0]:
                told.append(f"{distance(candidate)} behind")
            figures = f"{', '.join(told)}, {candidate.visits} visits"
            number = legal.index(candidate.action) + 1
            self._console.print(Text(f"{number}: {whole_move(candidate)}  ({figures})"))
            for words in (*reasons_in_words(spec.name, candidate, match.names), *line_in_words(candidate)):
                self._console.print(Text(f"    {words}", "dim"))

    def _save(self, file: str | Path | None) -> None:
        if file is None:
            raise BadInput("Name a file: save FILE.")
        save_match(self.match, self.codes, file)
        self.file = Path(file)
        self._console.print(Text(f"Saved; ludens play {file} continues it.", "italic"))

    def _draw_curtain(self, seat: int) -> None:
        """Hides what the last player saw before the next one looks."""
        self._console.clear()
        if self._console.is_terminal:
            self._console.print("\n" * self._console.height)
        self._console.input(Text(f"Pass the keyboard to {self.match.names[seat]} and press Enter. "))
        self._console.clear()

    # --- telling -----------------------------------------------------------------------

    def _opening(self) -> list[int]:
        """The entries of the log before the first choice."""
        found: list[int] = []
        for step in self.match.steps():
            if step.actor != CHANCE and step.action < self.match.game.spec.first_automatic:
                break
            found.append(step.action)
        return found

    def _tell(self, seat: int) -> None:
        """Tells the seat what has happened since it last looked."""
        self._console.print()
        news = list(narrate(self.match, self._told[seat], seat, self._drawing.quiet))
        if news:
            self._console.print(bullets(news))
        self._told[seat] = self.match.ply

    def _finish(self) -> None:
        for seat in self._agents:
            self._agents[seat].end(self.match.view(seat))
        watching = self._at_keyboard
        self._tell(watching)
        self._console.print(self._drawing.position(self.match.view(watching), watching, self.match.names))
        self._console.print(self._drawing.result(self.match))
        best = winners(self.match)
        kind = "Victory for" if len(best) == 1 else "Victory shared by"
        self._console.print(Text(f"{kind} {' and '.join(best)}.", "bold"))


def _leave() -> None:
    raise _Quit
