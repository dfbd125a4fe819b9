"""Azul's library: a running game for front ends and agents (AZ-41 … AZ-50).

A game needs no user interface. It says when it waits, and two operations answer it:
`move` takes tiles, `tile` tiles one line.

    >>> from ludens.games.azul.library import AzulGame, Phase, Topic
    >>> game = AzulGame(names=["Ada", "Ben"], seed=7, first=0)
    >>> game.listen(Topic.OVER, lambda notice: print("round", notice.game.round_number, "was the last"))
    >>> game.start()
    >>> game.phase, game.current, game.bag.total
    (<Phase.TAKING: 'taking'>, 0, 80)
    >>> move = game.valid_moves()[0]
    >>> print(move)
    red from source 1 to line 1
    >>> game.after(move).players[0].line(0).full
    True
    >>> game.move(move), game.current
    (True, 1)
    >>> while game.phase is not Phase.OVER:
    ...     done = game.move(game.valid_moves()[0]) if game.phase is Phase.TAKING else game.tile()
    round 5 was the last
    >>> [game.names[seat] for seat in game.winners]
    ['Ben']
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ludens.core.agent import Agent, Clock, Seating, agent_seed
from ludens.core.errors import BadInput
from ludens.core.match import Match, Step
from ludens.games.azul import GAME
from ludens.games.azul.library.errors import IllegalOperation, checked
from ludens.games.azul.library.game_log import GameLog, read_game_log
from ludens.games.azul.library.moves import Move
from ludens.games.azul.library.position import Phase, Position
from ludens.games.azul.state import FIRST_COLUMN, SIZE, STEP

__all__ = ["AzulGame", "Listener", "Notice", "Topic"]


class Topic(Enum):
    """What listeners are told of (AZ-46)."""

    TAKING = "a player must choose a taking move"
    PLACING = "the tiling phase waits for a step"
    ROW = "a player has completed a row"
    OVER = "the game is over"


@dataclass(frozen=True)
class Notice:
    """A notification: the game, and the seat that is to act, completed a row or acted last."""

    topic: Topic
    game: AzulGame
    seat: int
    row: int | None = None  # the completed row


Listener = Callable[[Notice], object]  # what it returns is ignored


class AzulGame(Position):
    """A game of Azul.

    Everything a `Position` shows is that of the moment. Before `start` it is the set-up, with all
    tiles in the bag (AZ-8). Listeners may answer a notice by `move` or `tile` at once; notices
    come one after the other, never one inside another.
    """

    def __init__(
        self,
        players: int = 2,
        names: Sequence[str] | None = None,
        grey: bool = False,
        seed: int | None = None,
        first: int | None = None,
        round_limit: int = 0,
        log: str | Path | None = None,
    ) -> None:
        """`first` is the seat that starts, drawn if None; `log` is a file for the course of the game."""
        options = {"players": players, "wall": "grey" if grey else "coloured", "round_limit": round_limit}
        if first is not None:
            options["first"] = str(checked(first, int(GAME.options({"players": players})[0]), "The first seat") + 1)
        self._match = Match(GAME, options, seed, names, stepwise=True)
        super().__init__(self._match.at(0).state(), self._match.names)
        self.log = GameLog(log)
        self._started = False
        self._listeners: dict[Topic, list[Listener]] = {topic: [] for topic in Topic}
        self._agents: dict[int, Agent] = {}
        self._notices: deque[Notice] = deque()
        self._telling = False

    @classmethod
    def replay(cls, path: str | Path, log: str | Path | None = None) -> AzulGame:
        """The game of a log, ready to be continued; its seed gives the same draws (AZ-64)."""
        match = read_game_log(path)
        if match.game is not GAME:
            raise BadInput(f"The game log {path} is of {match.game.spec.identity}, not of {GAME.spec.identity}.")
        players, grey, first, round_limit = (int(value) for value in match.options[:4])
        game = cls(players, match.names, bool(grey), match.seed, first - 1 if first else None, round_limit, log)
        game._match = match
        game._begin()
        return game

    @property
    def seed(self) -> int:
        """All randomness of the game follows from it (AZ-43)."""
        return self._match.seed

    # --- who listens and who plays -----------------------------------------------------

    def listen(self, topic: Topic, listener: Listener) -> None:
        """Tells the listener of every notice of the topic from now on."""
        self._listeners[topic].append(listener)

    def sit(self, seat: int, agent: Agent) -> None:
        """Lets an agent play a seat: it answers whenever the game waits for that seat (AZ-42)."""
        if self._started:
            raise IllegalOperation("Agents sit down before the game begins.")
        seat = checked(seat, len(self.names), "A seat")
        agent.start(Seating(GAME, self._match.options, seat, agent_seed(self.seed, seat)))
        self._agents[seat] = agent

    def next_taking(self, seat: int) -> None:
        """Says that the seat must choose a taking move; may be overridden (AZ-46)."""
        self._tell(Notice(Topic.TAKING, self, seat))

    def next_placing(self, seat: int) -> None:
        """Says that the tiling phase waits for a step of the seat; may be overridden (AZ-46)."""
        self._tell(Notice(Topic.PLACING, self, seat))

    # --- playing -----------------------------------------------------------------------

    def start(self) -> None:
        """Deals the first round and says who is to act."""
        if self._started:
            raise IllegalOperation("The game has begun already.")
        self._begin()
        self._announce(())

    def move(self, move: Move) -> bool:
        """Makes a taking move of the player to act if it is legal; returns whether it was (AZ-48)."""
        legal = self.can_move(move)
        if legal:
            self._play(self._action(move))
        return legal

    def tile(self, column: int | None = None) -> bool:
        """Makes one tiling step of the player to act: the topmost full line, with the last one also the floor (AZ-49).

        A column is needed where the grey wall leaves a choice; elsewhere it may be left out, or be
        the only one that is possible. Returns whether the step was made.
        """
        columns = self.open_columns()
        if column is None:
            possible = len(columns) <= 1
        else:
            possible = checked(column, SIZE, "A column") in columns
        if possible:
            self._play(STEP if column is None or len(columns) == 1 else FIRST_COLUMN + column)
        return possible

    def best_column(self) -> int | None:
        """The column with most points for the next tile, ties to the smallest; None without a tile (AZ-68)."""
        columns = self.open_columns()
        player = self.players[self.current]
        return max(columns, key=lambda column: player.points(player.full_lines[0], column), default=None)

    # --- inside ------------------------------------------------------------------------

    def _begin(self) -> None:
        self._started = True
        self._states = self._match.state()
        self.log.begin(self._match)

    def _play(self, action: int) -> None:
        steps = self._match.play(action)
        self._states = self._match.state()
        self.log.record(steps)
        self._announce(steps)

    def _announce(self, steps: Iterable[Step]) -> None:
        """Queues what the steps brought about and what the game waits for; tells it unless that is under way."""
        last = self.current
        for step in steps:
            last = step.actor if step.actor >= 0 else last
            for event in step.events:
                if event["kind"] == "row":
                    self._notices.append(Notice(Topic.ROW, self, event["seat"], event["row"]))
        if self.phase is Phase.OVER:
            self._notices.append(Notice(Topic.OVER, self, last))
        else:
            topic = Topic.TAKING if self.phase is Phase.TAKING else Topic.PLACING
            self._notices.append(Notice(topic, self, self.current))
        if not self._telling:
            self._tell_all()

    def _tell_all(self) -> None:
        self._telling = True
        try:
            while self._notices:
                self._pass_on(self._notices.popleft())
        finally:
            self._telling = False
            self._notices.clear()

    def _pass_on(self, notice: Notice) -> None:
        ply = self._match.ply
        if notice.topic is Topic.TAKING:
            self.next_taking(notice.seat)
        elif notice.topic is Topic.PLACING:
            self.next_placing(notice.seat)
        else:
            self._tell(notice)
        if notice.topic is Topic.OVER:
            for seat, agent in self._agents.items():
                agent.end(self._match.view(seat))
        elif notice.topic is not Topic.ROW and notice.seat in self._agents and ply == self._match.ply:
            self._ask(self._agents[notice.seat], notice.seat)  # no listener has answered in its place

    def _tell(self, notice: Notice) -> None:
        for listener in tuple(self._listeners[notice.topic]):
            listener(notice)

    def _ask(self, agent: Agent, seat: int) -> None:
        """Plays the agent's choice, or the only step there is."""
        legal = self._match.legal()
        self._play(STEP if self._match.automatic else int(agent.choose(self._match.view(seat), legal, Clock())))
