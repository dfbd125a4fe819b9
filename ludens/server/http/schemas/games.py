"""Games: options, agents and all that a lobby needs."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from ludens.server.http.schemas.common import Answer, OptionValue

__all__ = ["AgentInfo", "Budgets", "GameInfo", "OptionInfo", "ParameterInfo", "Preparing"]


class OptionInfo(Answer):
    name: str
    help: str
    default: OptionValue
    choices: list[str]
    low: int
    high: int


class ParameterInfo(Answer):
    name: str
    help: str
    default: Any
    choices: list[str]
    low: float | None
    high: float | None = Field(description="what this server lends, where the parameter costs something")
    cost: Literal["memory", "threads", "seconds", "work"] | None = Field(
        description="what more of it costs; the sums are bounded too, see `budgets`"
    )


class Budgets(Answer):
    """The most that one agent of this server may ask for; what a level has preset is lent in any case."""

    memory: float = Field(description="MiB, of all its threads together")
    threads: float
    seconds: float = Field(description="a move; after some more its process is ended and a random move played")
    work: float = Field(description="times its usual work: the product over the parameters of this cost")


class AgentInfo(Answer):
    name: str
    help: str
    parameters: list[ParameterInfo]


class Preparing(Answer):
    """How far a game is prepared: its code is compiled once on every computer."""

    ready: bool = Field(description="with its agents and hints")
    playable: bool = Field(description="by people; tables can be set up in any case")
    progress: float = Field(description="from 0 to 1")
    seconds: float | None = Field(None, description="until it is ready, as an estimate")
    text: str = Field(description="a sentence for whoever waits; empty when it is ready")


class GameInfo(Answer):
    """All that a lobby needs: nothing about a game is written by hand elsewhere."""

    name: str = Field(examples=["azul"])
    title: str
    version: int
    summary: str
    players: list[int]
    default_players: int
    chance: bool
    hidden: bool
    actions: int
    options: list[OptionInfo]
    agents: list[AgentInfo]
    budgets: Budgets
    preparing: Preparing
    seat_names: dict[str, list[str]] = Field(description="by the number of players")
    sides: dict[str, list[int]] = Field(description="by the number of players: the side of every seat")
    static: dict[str, Any] | None = Field(None, description="of one game only: maps and tile sets, for drawing")
