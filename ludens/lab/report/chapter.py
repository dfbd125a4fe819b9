"""The part of a report on one series."""

from __future__ import annotations

import math

import numpy as np

from ludens.core import registry
from ludens.lab.cross_table import Cell as Pair
from ludens.lab.cross_table import consecutive_pairs, cross_table
from ludens.lab.development import score_development
from ludens.lab.experiment import Series
from ludens.lab.ratings import bradley_terry, skill_ratings
from ludens.lab.report import figures
from ludens.lab.report.document import Cell, Document, Figure, Heading, Note, Table, Text
from ludens.lab.report.example import example_film
from ludens.lab.report.reference import MEASURES, Comparison, References, compare, read_references
from ludens.lab.report.words import count_text, duration_text, interval_text, number_text, p_text, simulations_text
from ludens.lab.standings import GamesTable, player_summaries, seat_summaries
from ludens.lab.statistics import distribution, games_for_difference, visible_difference
from ludens.lab.stopping import watched_shares
from ludens.play.logs import final_state
from ludens.play.results import ResultsFile, Run

__all__ = ["Chapter"]

_SMALL = 12  # players that still fit a square table


class Chapter:
    """The part of a report on one series."""

    def __init__(
        self,
        document: Document,
        file: ResultsFile,
        run: Run,
        series: Series,
        games: GamesTable,
        alpha: float,
        number: int,
    ) -> None:
        self.document, self.file, self.run, self.series, self.games = document, file, run, series, games
        self.alpha, self.number = alpha, number
        self.players = player_summaries(games, self.alpha)
        self.confidence = f"{100 * (1 - self.alpha):g} %"

    def write(self) -> None:
        self.document.add(Heading(2, self.series.name[:1].upper() + self.series.name[1:]))
        if self.series.about:
            self.document.add(Text(self.series.about))
        self._sequential()
        self._standings()
        self._reference()
        self._cross_tables()
        self._seats()
        self._distributions()
        self._development()
        self._example()
        self._advice()
        self._failures()

    def _figure(self, name: str, svg: str, caption: str) -> None:
        self.document.add(Figure(f"{self.number + 1}_{name}", svg, caption))

    def _sequential(self) -> None:
        stop = self.series.stop
        if stop is None:
            return
        decided = stop.test.decided(watched_shares(stop, self.games))
        told = f"{stop.player} wins {stop.test.low:.0%} or {stop.test.high:.0%}"
        if decided is None:
            self.document.add(Text(f"The sequential test ({told}) is still open after {self.games.games} games."))
        else:
            verdict = stop.test.high if decided[1] else stop.test.low
            self.document.add(Text(f"The sequential test ({told}) decided for {verdict:.0%} after {decided[0]} games."))

    def _standings(self) -> None:
        many = self.games.seats > 2
        heads = ["player", "agent", "games", "won", "95 %", "mean score", self.confidence, "SD"]
        heads += (["mean rank"] if many else []) + ["a decision"]
        rows: list[list[Cell | str]] = []
        codes = self.run.plan["players"]
        for one in self.players:
            standing = one.standing
            rows.append(
                [
                    standing.agent,
                    f"`{codes[standing.agent]}`",
                    f"{standing.games:,}",
                    Cell(f"{standing.win_share:.1%}"),
                    Cell(f"{standing.interval[0]:.1%} – {standing.interval[1]:.1%}", mark="faint"),
                    f"{one.score.mean:.2f}",
                    Cell(interval_text(one.score), mark="faint"),
                    number_text(one.score.sd),
                    *([f"{one.rank:.2f}"] if many else []),
                    Cell(duration_text(one.seconds), title=simulations_text(one)),
                ]
            )
        self.document.add(Heading(3, "Who won"), Table(heads, rows, texts=2))
        if len(self.players) > 1 and not self._has_roles():
            ratings = bradley_terry(self.games)
            if len(ratings) > 1:
                self._figure(
                    "ratings",
                    figures.dots([(r.player, r.rating, r.low, r.high) for r in ratings], "rating", 0.0),
                    "Ratings by Bradley and Terry on the scale of chess (400 points: ten to one), the mean being 0; "
                    "95 % intervals from games drawn again.",
                )
            if many and len(self.games.places) > 2:
                skills = skill_ratings(self.games)
                told = ", ".join(f"{skill.player} {skill.mu:.1f} ± {skill.sigma:.1f}" for skill in skills)
                self.document.add(
                    Note(f"OpenSkill (Plackett–Luce, from games without a player beside itself): {told}.")
                )

    def _reference(self) -> None:
        if self.series.reference is None:
            return
        references = read_references(self.series.reference)
        found = compare(references, self.games, self.alpha, self._lengths(references))
        if not found:
            return
        self.document.add(Heading(3, "Beside the printed figures"), Text(references.about or references.source))
        rows = [_comparison_row(one) for one in found]
        heads = ("table", "what", "printed", "interval", "here", "interval", "intervals", "games")
        agreeing = sum(one.agrees is True for one in found)
        caption = f"{references.source} Of {len(found)} figures the intervals of {agreeing} overlap."
        if found[0].missing:
            caption += f" † {', '.join(found[0].missing)} did not play here, so that like is not compared with like."
        self.document.add(Table(heads, rows, caption, texts=2))
        for what in dict.fromkeys(one.printed.what for one in found):
            lines = [
                (
                    f"{one.printed.table}: {one.printed.label}" if one.printed.table else one.printed.label,
                    (one.printed.mean, *one.bounds),
                    (one.own.mean, one.own.low, one.own.high),
                )
                for one in found
                if one.printed.what == what
            ]
            if 1 < len(lines) <= 40:
                svg = figures.forest(lines, MEASURES[what])
                self._figure(f"printed_{what}", svg, f"Printed and measured: {MEASURES[what]}.")
        notes = list(dict.fromkeys(one.printed.note for one in found if one.printed.note))
        for note in notes:
            self.document.add(Note(note))

    def _lengths(self, references: References) -> np.ndarray | None:
        """The length of every game, where a published table of the game says what that is and it is asked for."""
        game = registry.game(self.run.game_name)
        table = next(iter(game.published().values()), None)
        if table is None or not any(figure.what == "length" for figure in references.figures):
            return None
        length = table.length
        options = game.options(self.run.plan["options"])
        known = {number: length(final_state(game, options, log)[0]) for number, log in self.file.logs(self.run)}
        return np.array([known[int(number)] for number in self.games.number], float)

    def _cross_tables(self) -> None:
        if len(self.players) < 2 or len(self.games.places) < 2:
            return
        names = [one.standing.agent for one in self.players]
        unordered = cross_table(self.games, False, self.alpha)
        ordered = cross_table(self.games, True, self.alpha)
        ahead = "won against" if len(self.games.places) == 2 else "came out ahead of"
        self.document.add(Heading(3, "Who beats whom"))
        if len(names) <= _SMALL:
            if self._has_roles():
                self._matrix(names, ordered, f"How often the row {ahead} the column, the row on the first side.", True)
            else:
                self._matrix(names, unordered, f"How often the row {ahead} the column, draws as halves.", False)
                caption = f"The same with the row on the earlier seat: how often it {ahead} the column."
                self._matrix(names, ordered, caption, True)
        heads = ("first", "second", "games", "won", "drawn", "lost", "scores", "difference", self.confidence, "p")
        rows: list[list[Cell | str]] = []
        for cell in ordered if self._has_roles() else unordered:
            test = cell.test
            shown = Cell(f"{test.difference.mean:+.2f}", mark="strong" if test.significant else "faint")
            rows.append(
                [
                    cell.first, cell.second, f"{cell.games:,}", str(cell.wins), str(cell.draws), str(cell.losses),
                    f"{cell.scores[0]:.1f} : {cell.scores[1]:.1f}", shown,
                    Cell(interval_text(test.difference), mark="faint"), p_text(test.p),
                ]
            )  # fmt: skip
        caption = (
            f"Paired t-tests of the score difference within games, {'by side' if self._has_roles() else 'all seats'}; "
            f"bold is significant at α = {self.alpha:g}."
        )
        self.document.add(Table(heads, rows, caption, texts=2))
        if self.games.seats > 2 and self.games.sides == tuple(range(self.games.seats)) and len(names) <= _SMALL:
            self._consecutive()

    def _has_roles(self) -> bool:
        """Are the sides different parts to play, such as Mr. X and the detectives, and not equal seats?"""
        spec, seats = registry.game(self.run.game_name).spec, self.games.seats
        plain = tuple(f"Player {seat + 1}" for seat in range(seats))
        return spec.seat_names(seats) != plain or self.games.sides != tuple(range(seats))

    def _matrix(self, names: list[str], cells: list[Pair], caption: str, ordered: bool) -> None:
        found = {(cell.first, cell.second): cell for cell in cells}
        rows = []
        lefts = [name for name in names if not ordered or any(cell.first == name for cell in cells)]
        tops = [name for name in names if not ordered or any(cell.second == name for cell in cells)]
        for row in lefts:
            line: list[Cell | str] = [row]
            for column in tops:
                cell = found.get((row, column))
                back = None if ordered else found.get((column, row))
                if cell is None and back is None:
                    line.append(Cell("·", mark="faint"))
                    continue
                share = cell.share if cell is not None else 1 - back.share if back is not None else 0.0
                games = (cell or back).games  # type: ignore[union-attr]
                line.append(Cell(f"{share:.0%}", shade=2 * share - 1, title=f"{row} – {column}: {games} games"))
            rows.append(line)
        if any(cell.text != "·" for line in rows for cell in line[1:] if isinstance(cell, Cell)):
            self.document.add(Table(["", *tops], rows, caption))

    def _consecutive(self) -> None:
        pairs = consecutive_pairs(self.games)
        rows = [
            [
                pair.first,
                pair.second,
                f"{pair.games:,}",
                " – ".join(f"{rank:.2f}" for rank in pair.ranks),
                " – ".join(f"{score:.1f}" for score in pair.scores),
            ]
            for pair in pairs
        ]
        caption = "Players who move one after the other: mean rank and mean score of the first, the others, the second."
        heads = ("first", "second", "games", "ranks", "scores")
        self.document.add(Table(heads, rows, caption, texts=2))

    def _seats(self) -> None:
        games = self.games
        if games.seats < 2:
            return
        spec = registry.game(self.run.game_name).spec
        titles = spec.seat_names(games.seats)
        rows: list[list[Cell | str]] = [
            [title, f"{one.mean:.2f}", Cell(interval_text(one), mark="faint"), number_text(one.sd), f"{share:.1%}"]
            for title, (one, share) in zip(titles, seat_summaries(games, self.alpha), strict=True)
        ]
        self.document.add(
            Heading(3, "What a seat is worth"),
            Table(("seat", "mean score", self.confidence, "SD", "won"), rows, "All players together."),
        )

    def _distributions(self) -> None:
        games = self.games
        parts = {}
        for one in self.players[:9]:
            player = games.index(one.standing.agent)
            values = games.score[games.player == player]
            if len(values) > 1 and len(set(values.tolist())) > 2:
                parts[one.standing.agent] = distribution(values)
        if parts:
            self.document.add(Heading(3, "How the scores are spread"))
            caption = "Scores of the players, all seats; the line is the normal curve of the same mean and spread."
            self._figure("scores", figures.histograms(parts, "score"), caption)

    def _development(self) -> None:
        found = score_development(self.file, self.run, int(self.games.number.max()) + 1)
        best = [one.standing.agent for one in self.players[:8]]
        lines = {name: found.curve[found.names.index(name)] for name in best}
        if all(np.isnan(values).all() or np.nanmax(np.abs(values)) == 0 for values in lines.values()):
            return
        self.document.add(Heading(3, "How the scores grow"))
        caption = f"Mean score after every turn of the table, from {count_text(found.games, 'game')}."
        self._figure("development", figures.curves(lines, "turn", "mean score"), caption)

    def _example(self) -> None:
        film = example_film(self.file, self.run, self.games)
        if film is not None:
            self.document.add(Heading(3, "A typical game"), film)

    def _advice(self) -> None:
        cells = [cell for cell in cross_table(self.games, False, self.alpha) if cell.games > 2]
        closest = [cell for cell in cells if not cell.test.significant and cell.test.difference.mean != 0]
        spreads = [cell.test.difference.sd for cell in cells if cell.test.difference.sd > 0]
        if not spreads:
            return
        games, sd = min(cell.games for cell in cells), float(np.median(spreads))
        text = (
            f"With {games:,} games a pair and a typical spread of {sd:.1f} points, a difference of "
            f"{visible_difference(games, sd, self.alpha):.1f} points is found nine times of ten."
        )
        if closest:
            cell = max(closest, key=lambda one: abs(one.test.difference.mean))
            needed = games_for_difference(cell.test.difference.mean, cell.test.difference.sd, self.alpha)
            text += (
                f" The largest difference that is not yet certain, {cell.first} against {cell.second} "
                f"({cell.test.difference.mean:+.1f}), would need about {needed:,} games if it is real."
            )
        self.document.add(Heading(3, "How much these games can tell"), Text(text))

    def _failures(self) -> None:
        found = self.file.failures(self.run)
        if not found:
            return
        rows = [[str(number), reason, sentence] for number, reason, _, sentence in found[:20]]
        more = "" if len(found) <= 20 else f" The first 20 of {len(found)}."
        self.document.add(
            Heading(3, "Games that an agent lost by its own fault"),
            Table(("game", "reason", "what happened"), rows, f"They count as lost.{more}", texts=3),
        )


def _comparison_row(one: Comparison) -> list[Cell | str]:
    printed, own = one.printed, one.own
    word, mark = {True: ("overlap", "agrees"), False: ("apart", "differs"), None: ("–", "faint")}[one.agrees]
    verdict = Cell(f"{word}†", mark="faint") if one.missing else Cell(word, mark=mark)
    slip = "*" if printed.corrected else ""
    form = "{:.1%}".format if printed.what == "share" else "{:.2f}".format
    between = "–" if math.isnan(one.bounds[0]) else f"{form(one.bounds[0])} – {form(one.bounds[1])}"
    ours = "–" if math.isnan(own.low) else f"{form(own.low)} – {form(own.high)}"
    what = MEASURES[printed.what]
    label = f"{what}: {printed.label}" if printed.player or printed.excepting else printed.label
    return [
        printed.table,
        label,
        f"{form(printed.mean)}{slip}",
        Cell(between, mark="faint"),
        form(own.mean),
        Cell(ours, mark="faint"),
        verdict,
        f"{own.n:,}",
    ]
