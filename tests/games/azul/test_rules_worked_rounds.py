"""Whole rounds written out by hand, in the manner of the rulebook's examples."""

from __future__ import annotations

from ludens.games.azul import phases
from tests.games.azul.positions import CENTRE, Board, Table, new_table, taking


def _first_round() -> Table:
    table = new_table().deal("BBYK" + "YYRW" + "KKKB" + "WWRR" + "BYRK")
    table.take(0, "B", 1)
    assert table.source(CENTRE) == "YK"
    table.take(2, "K", 2)
    assert table.source(CENTRE) == "BYK"
    table.take(3, "W", 4)
    assert table.source(CENTRE) == "BYRRK"
    table.take(1, "Y", 1)
    assert table.source(CENTRE) == "BYRRRKW"
    table.take(CENTRE, "R", 2)  # the marker
    assert (table.line(0, 2), table.floor(0)) == ("RRR", "1")
    table.take(4, "K", 3)
    assert table.source(CENTRE) == "BBYYRKW"
    table.take(CENTRE, "B", 0)
    assert (table.line(0, 0), table.floor(0)) == ("B", "1B")
    table.take(CENTRE, "Y", 0)
    assert (table.line(1, 0), table.floor(1)) == ("Y", "Y")
    table.take(CENTRE, "W", 4)
    table.take(CENTRE, "K", 3)
    table.take(CENTRE, "R")  # nothing else is left
    return table


def test_the_first_round_of_two_players():
    table = _first_round()
    assert table.phase == phases.PLACING
    assert table.lines(0) == ["B", "BB", "RRR", "", "WWW"]
    assert table.lines(1) == ["Y", "YY", "KKK", "KK", ""]
    assert (table.floor(0), table.floor(1)) == ("1BR", "Y")
    table.step(3)
    assert table.wall(0) == ["B....", ".B...", "....R", ".....", "....."]
    assert table.scores() == [0, 0], "three single tiles less four, but not below zero"
    assert table.lid() == "BBRRR"
    table.step(3)
    assert table.wall(1) == [".Y...", "..Y..", "K....", ".....", "....."]
    assert table.scores() == [0, 2], "three single tiles less one"
    assert table.lid() == "BBYYRRRKK"
    assert table.phase == phases.DEALING
    assert int(table.s.first) == 0
    assert len(table.bag()) == 80


def test_the_second_round_builds_on_the_first():
    table = _first_round().tile().deal("YYYY" + "WWBR" + "RRKY" + "BBWK" + "KKRW")
    table.take(1, "W", 4)
    table.take(4, "K", 3)
    table.take(0, "Y", 3)
    table.take(3, "B", 1)
    table.take(2, "R", 1)
    assert table.source(CENTRE) == "BYRRKKWW"
    table.take(CENTRE, "R", 2)  # the marker
    table.take(CENTRE, "K", 2)
    table.take(CENTRE, "W", 0)
    table.take(CENTRE, "Y", 0)
    table.take(CENTRE, "B", 4)
    assert table.phase == phases.PLACING
    assert table.lines(0) == ["Y", "RR", "KK", "YYYY", "WWWWW"]
    assert table.lines(1) == ["W", "BB", "RR", "KKKK", "B"]
    assert (table.floor(0), table.floor(1)) == ("", "1W")

    scores = []
    for _ in range(4):
        table.step()
        scores.append(table.scores()[0])
    assert scores == [4, 5, 7, 8], "2 + 2 for yellow at the corner of two runs, 1, 2 below red, 1"
    assert table.wall(0) == ["BY...", ".B.R.", "....R", "....Y", "...W."]
    assert table.lines(0) == ["", "", "KK", "", ""]

    scores = []
    for _ in range(3):
        table.step()
        scores.append(table.scores()[1])
    assert scores == [2 + 1, 3 + 4, 7 + 1 - 2], "the floor is settled with the last line"
    assert table.wall(1) == [".Y..W", ".BY..", "K....", ".K...", "....."]
    assert table.lines(1) == ["", "", "RR", "", "B"]
    assert table.lid() == "BBBYYYYYRRRRKKKKKWWWWW"
    assert int(table.s.first) == 1
    assert int(table.s.round_number) == 3


def test_the_last_round_of_three_players():
    """Seat 2 completes the top row; seat 0 has a column and a colour; seat 1 ties on points."""
    boards = [
        Board(
            lines=["", "", "", "", "YYYY"],
            wall=["B....", "WB...", "K.B..", "R..B.", "....B"],
            score=20,
        ),
        Board(lines=["", "R", "", "", ""], floor="KK", score=46),
        Board(lines=["", "WW", "", "", ""], wall=["BYR.W", ".....", "KW...", ".....", "....."], score=30),
    ]
    table = taking(["YRRR"], centre="KK", boards=boards, players=3, current=1, first="2")
    table.take(0, "R", 1)  # seat 1: one red completes the line, two fall
    table.take(CENTRE, "K", 0)  # seat 2: one black completes line 0, one falls after the marker
    table.take(CENTRE, "Y", 4)  # seat 0: the fifth yellow
    assert table.phase == phases.PLACING
    assert [table.floor(seat) for seat in range(3)] == ["", "KKRR", "1K"]
    assert table.actor == 1

    table.step()
    assert table.wall(1)[1] == "...R."
    assert table.scores()[1] == 46 + 1 - 6
    table.step()
    assert table.wall(2)[0] == "BYRKW"
    assert table.scores()[2] == 30 + 5
    assert table.phase == phases.PLACING, "white has still to be tiled"
    table.step()
    assert table.wall(2)[:3] == ["BYRKW", "W....", "KW..."]
    assert table.scores()[2] == 35 + 3 - 2, "a column of three"
    assert table.actor == 0
    table.step()
    assert table.wall(0)[4] == "Y...B"
    assert table.phase == phases.OVER
    assert table.scores() == [20 + 5 + 7 + 10, 41, 36 + 2]
    assert table.returns() == [1.0, -0.5, -0.5]


def test_a_round_on_the_grey_wall():
    boards = [
        Board(lines=["", "K", "", "", ""], wall=[".R...", ".....", "..R..", ".....", "....."], score=6),
        Board(wall=["B....", ".B...", "..KYW", ".....", "....."], score=9),
    ]
    table = taking(["KRRR", "BBBW", "YY"], boards=boards, wall="grey")
    table.take(0, "R", 1 + 2)  # three of four
    table.take(1, "B", 2)  # full, but blue cannot stand in columns 0 and 1, and 2 to 4 are occupied
    table.take(2, "Y", 0)  # one falls
    table.take(CENTRE, "W", 1)  # the marker
    table.take(CENTRE, "K", 1)
    assert table.phase == phases.PLACING
    assert table.lines(0) == ["Y", "KK", "", "RRR", ""]
    assert table.lines(1) == ["", "W", "BBB", "", ""]
    assert (table.floor(0), table.floor(1)) == ("Y", "1")

    assert [a - 300 for a in table.legal()] == [0, 2, 3, 4]
    table.choose_column(2)
    assert table.scores()[0] == 6 + 2
    assert [a - 300 for a in table.legal()] == [0, 1, 2, 3, 4]
    table.choose_column(2)
    assert table.scores()[0] == 8 + 3 - 1, "a column of three, then the floor"
    assert table.wall(0)[:3] == [".RY..", "..K..", "..R.."]
    table.step()
    assert table.scores()[1] == 9 - 6, "the marker and three blues"
    assert table.lines(1) == ["", "W", "", "", ""]
    assert table.lid() == "BBBYK"
    assert table.phase == phases.DEALING
    assert int(table.s.first) == 1
