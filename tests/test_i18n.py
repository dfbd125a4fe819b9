"""Every sentence that the server says can be said in every language, and says the same there."""

from __future__ import annotations

import ast
import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludens.agents.codes import named_kinds
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.games.azul.state import COLOURS
from ludens.games.catan.state import CARD_KINDS, RESOURCES, TERRAINS
from ludens.games.catan.text.events import HARBOUR_KINDS
from ludens.games.discovery.rules.tiles import TERRAINS as LANDS
from ludens.games.scotland_yard.state import TICKETS
from ludens.i18n.catalogue import ENGLISH, LANGUAGES, catalogue, preferred, translated
from ludens.i18n.citations import cited
from ludens.i18n.messages import Message, joined, recognised, say, sentence
from ludens.server.tables.results import REASONS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "ludens"
OTHERS = tuple(language for language in LANGUAGES if language != ENGLISH)
PLURALS = {"cs": {"one", "few", "other"}, "sk": {"one", "few", "other"}, "de": {"one", "other"}}
PLACE = re.compile(r"\{(\w+)(?::\w+)?\}")
# Where the sentence stands among the arguments of what says it.
SAYING = {
    "say": 0,
    "BadInput": 0,
    "Refusal": 1,
    "envelope": 1,
    "HTTPException": 1,
}
DESCRIBING = ("dependencies.py", "services.py", "schemas")  # sentences of documents and metrics, for programs
STATUSES = ("waiting", "running", "finished", "abandoned")
PURCHASES = ("road", "settlement", "city", "development card")
WORDS = {*COLOURS, *RESOURCES, *map(str.capitalize, RESOURCES), *TERRAINS, *LANDS, *CARD_KINDS, *HARBOUR_KINDS}
WORDS |= {*TICKETS, *STATUSES, *PURCHASES}
WHOLE = re.compile(r"[A-Z].*\.")  # a whole sentence


def texts(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)


def said_in(path: Path) -> Iterator[str]:
    """What a module says: where it calls `say`, refuses, or keeps templates and whole sentences for that."""
    source = path.read_text(encoding="utf-8")
    if not re.search(r"import .*\b(say|Refusal)\b", source):
        return
    games, server = "games" in path.parts, "server" in path.parts
    keeps = path.name in ("refusals.py", "events.py") if games else server and path.name not in DESCRIBING
    tree = ast.parse(source)
    apart = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        if isinstance(node, ast.Call) and name in SAYING and len(node.args) > SAYING[name]:
            if name != "BadInput" or server:  # others are for commands and programs
                yield from texts(node.args[SAYING[name]])
        if keeps and isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            if (PLACE.search(node.value) and "/" not in node.value) or WHOLE.fullmatch(node.value):
                yield node.value


def all_said() -> set[str]:
    """Every template of the package, without the rules that it cites."""
    found = {text for path in PACKAGE.rglob("*.py") if path.name != "messages.py" for text in said_in(path)}
    for game in (registry.game(name) for name in registry.BUILT_IN):
        spec = game.spec
        found |= {spec.title, spec.summary, *(option.help for option in spec.options)}
        found |= {kind.help for kind in named_kinds(game).values() if kind.complete and not kind.oracle}
    return {cited(text).sentence for text in found if re.search(r"[^\W\d_]{2}", text)} | {*REASONS, "{a} and {b}"}


SAID = all_said()


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_missing_or_left_over(language: str) -> None:
    known = set(catalogue(language))
    counted = {"{n} row", "{n} rows", "{n} column", "{n} columns", "{n} colour", "{n} colours"}  # Azul's, in pairs
    wanted = SAID | WORDS | counted
    assert sorted(wanted - known) == []
    assert sorted(known - wanted) == []


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_places_and_plurals_of_their_sentences(language: str) -> None:
    for template, entry in catalogue(language).items():
        variants = [entry] if isinstance(entry, str) else [text for form, text in entry.items() if form != "of"]
        assert all(text.strip() for text in variants), template
        if not isinstance(entry, str):
            assert "other" in entry, template
            assert template in WORDS or set(entry) - {"of"} == PLURALS[language], template
        for text in variants if '"' not in template else ():
            places, given = set(PLACE.findall(text)), set(PLACE.findall(template))
            assert places <= given and given - places <= {"n"}, (template, text)
        for form in re.findall(r"\{\w+:(\w+)\}", " ".join(variants)):
            assert any(isinstance(e, dict) and form in e for e in catalogue(language).values()) or form == "1", template


def test_sentences_of_games_are_made_of_templates() -> None:
    """Words within an f-string could not be said in another language."""
    for path in sorted(PACKAGE.glob("games/*/text/*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        narrating = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name in ("narrate", "_means")]
        for part in [tree] if path.name == "refusals.py" else narrating:
            for node in ast.walk(part):
                if isinstance(node, ast.JoinedStr):
                    written = "".join(str(piece.value) for piece in node.values if isinstance(piece, ast.Constant))
                    assert not re.search(r"[^\W\d_]", written), f"{path.name}, line {node.lineno}: {ast.unparse(node)}"


def test_refusals_are_made_of_templates() -> None:
    for path in sorted((PACKAGE / "server").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                assert not any(isinstance(given, ast.JoinedStr) for given in node.args), f"{path.name}: {node.lineno}"


def test_the_page_knows_the_names_of_options_levels_and_roles() -> None:
    """The page says these itself, from the words that the server uses for them."""
    known = set(json.loads((ROOT / "web/src/lib/words/known.json").read_text(encoding="utf-8"))["words"])
    wanted = {"Easy", "Medium", "Hard", "Champion"}
    for game in registry.games():
        if game.spec.name not in registry.BUILT_IN:
            continue
        for option in game.spec.options:
            names = [option.name, *option.choices]
            wanted |= {spoken(name) for name in names if re.search(r"[^\W\d_]{2}", name)}
        roles = [role for players in game.spec.players for role in game.spec.seat_names(players)]
        wanted |= {role for role in roles if not role.startswith("Player ")}
    assert sorted(wanted - known) == []
    assert sorted(known - wanted) == []


def spoken(name: str) -> str:
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


# --- how sentences are said ---------------------------------------------------------------


def test_a_sentence_is_english_text_until_somebody_asks_for_another_language() -> None:
    told = say("{who} wins with {n} points", who="Anna", n=3)
    assert told == "Anna wins with 3 points" and json.dumps(told) == '"Anna wins with 3 points"'
    assert translated(told, "en") is told
    assert translated(told, "cs") == "Anna vítězí, 3 body"
    assert translated(say("{who} wins with {n} points", who="Anna", n=5), "cs") == "Anna vítězí, 5 bodů"
    assert translated(told, "de") == "Anna gewinnt mit 3 Punkten"
    again = pickle.loads(pickle.dumps(told))
    assert again == told and translated(again, "sk") == "Anna víťazí, 3 body"


def test_names_stay_and_words_bend() -> None:
    take = {"place": say("factory {n}", n=2), "where": say("line {n}", n=3), "more": "", "marker": ""}
    template = "{who} takes {n} {colour} from {place} to {where}{more}{marker}"
    assert (
        translated(say(template, who="blue", n=1, colour="blue", **take), "cs")
        == "blue bere 1 modrou: dílna 2 → řada 3"
    )
    assert (
        translated(say(template, who="Jan", n=5, colour="red", **take), "cs")
        == "Jan bere 5 červených: dílna 2 → řada 3"
    )


def test_rules_are_cited_in_every_language() -> None:
    refused = BadInput(say("Vertex {n} is occupied (CA-14).", n=7))
    assert str(refused) == "Vertex 7 is occupied." and refused.rules == ("CA-14",)
    assert translated(str(refused), "de") == "Ecke 7 ist besetzt."
    assert translated(sentence("Choose whom to rob (CA-13)."), "cs") == "Vyberte, koho okrást (CA-13)."


def test_lists_and_stored_sentences() -> None:
    cards: Any = joined([say("{n} {resource}", n=n, resource=name) for n, name in ((1, "ore"), (2, "wool"))], " and ")
    assert cards == "1 ore and 2 wool" and translated(cards, "cs") == "1× ruda a 2× vlna"
    stored = recognised("nothing happened for 3 hours", *REASONS)
    assert isinstance(stored, Message) and translated(stored, "de") == "3 Stunden lang ist nichts geschehen"
    assert recognised("something else", *REASONS) == "something else"


def test_the_browsers_language_is_chosen() -> None:
    assert preferred("cs-CZ,cs;q=0.9,en;q=0.8") == "cs"
    assert preferred("fr, de;q=0.5, sk;q=0.9") == "sk"
    assert preferred("fr") == preferred("") == preferred(";q=x,,") == "en"
