"""The Discovery: how much a region may still earn, Φ of CD-42 … CD-49, for all regions of a position at once.

The deck does not change while a move is chosen, so what depends on it alone (K_j of a cell's code) is
counted once a decision; everything about regions is gathered in one pass over the frontier.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.discovery.players.settings import FIT, GEOMETRIC, Settings, Workspace
from ludens.games.discovery.rules.map import facing_piece
from ludens.games.discovery.rules.scoring import all_cities, city_total, terrain_of
from ludens.games.discovery.rules.tiles import (
    GRASSLAND,
    NEXT_GRASSLANDS,
    SEGMENT_CITIES,
    SEGMENT_TERRAIN,
    SEGMENTS,
    TERRAINS,
    fitting_turns,
)
from ludens.games.discovery.state import KINDS, NOTHING, Discovery

__all__ = ["at_least", "begin_decision", "closing_chance", "normalised", "phi", "potential_inputs", "survey"]


@rule
def begin_decision(s: Discovery, settings: Settings, workspace: Workspace) -> None:
    """Forgets the counts of the last decision and fixes h_t (CD-51)."""
    for code in range(256):
        workspace.fitting[code] = -1
    for terrain in range(len(TERRAINS)):
        workspace.city_chance[terrain] = settings.city_chance[terrain]
        if settings.cities_of_deck:
            workspace.city_chance[terrain] = _city_share_of_deck(s, terrain)


@rule
def _city_share_of_deck(s: Discovery, terrain: int) -> float:
    found = 0
    total = 0
    for kind in range(KINDS):
        for segment in range(int(SEGMENTS[kind])):
            if SEGMENT_TERRAIN[kind, segment] == terrain:
                total += int(s.deck[kind])
                if SEGMENT_CITIES[kind, segment] != 0:
                    found += int(s.deck[kind])
    return found / total if total > 0 else 0.0


@rule
def _count_code(s: Discovery, workspace: Workspace, code: int) -> None:
    """K_j of a cell with this code, and the chance that the cell is filled in one's own turns (CD-44, CD-47)."""
    fitting = 0
    for kind in range(KINDS):
        if fitting_turns(kind, code) != 0:
            fitting += int(s.deck[kind])
    workspace.fitting[code] = fitting
    workspace.reach[code] = 0.0
    if s.deck_left > 0:
        own_turns = int(s.deck_left) // int(s.players)
        workspace.reach[code] = 1.0 - (1.0 - fitting / int(s.deck_left)) ** own_turns


@rule
def survey(s: Discovery, workspace: Workspace) -> None:
    """Open coordinates of all regions (CD-16) and what fits there."""
    for piece in range(s.pieces):
        workspace.open_cells[piece] = 0
        workspace.share_product[piece] = 1.0
        workspace.reach_sum[piece] = 0.0
        workspace.first_cell[piece] = NOTHING
    workspace.shared = 0
    links = 0
    for cell in range(s.cells):
        code = int(s.cell_code[cell])
        if workspace.fitting[code] < 0:
            _count_code(s, workspace, code)
        share = 0.0
        if s.deck_left > 0:
            share = workspace.fitting[code] / int(s.deck_left)
        grasslands = 0
        for side in range(4):
            region = _looking_in(s, cell, side)
            if region == NOTHING:
                continue
            workspace.open_cells[region] += 1
            workspace.share_product[region] *= share
            workspace.reach_sum[region] += workspace.reach[code]
            workspace.cell_of_link[links] = cell
            workspace.link_after[links] = workspace.first_cell[region]
            workspace.first_cell[region] = links
            links += 1
            if (code >> 2 * side) & 3 == GRASSLAND:
                grasslands += 1
        if grasslands > 1:
            workspace.shared_cells[workspace.shared] = cell
            workspace.shared += 1


@rule
def _looking_in(s: Discovery, cell: int, side: int) -> int:
    """The region that looks into the cell from that side, or NOTHING if it does so from an earlier side too."""
    piece = facing_piece(s, cell, side)
    if piece == NOTHING:
        return NOTHING
    region = int(s.piece_region[piece])
    for earlier in range(side):
        other = facing_piece(s, cell, earlier)
        if other != NOTHING and s.piece_region[other] == region:
            return NOTHING
    return region


@rule
def at_least(wanted: int, trials: int, p: float) -> float:
    """The probability of at least `wanted` successes in independent trials (CD-46)."""
    if wanted > trials:
        return 0.0
    if p <= 0.0:
        return 1.0 if wanted == 0 else 0.0
    if p >= 1.0:
        return 1.0
    term = (1.0 - p) ** trials
    odds = p / (1.0 - p)
    below_wanted = 0.0
    for j in range(wanted):
        below_wanted += term
        term *= odds * (trials - j) / (j + 1)
    return max(0.0, 1.0 - below_wanted)


@rule
def _mean_share(s: Discovery, workspace: Workspace, region: int) -> float:
    """p of CD-45: the geometric mean over the open coordinates; 0 for a closed region or an empty deck."""
    if s.deck_left == 0 or workspace.open_cells[region] == 0:
        return 0.0
    return float(workspace.share_product[region] ** (1.0 / workspace.open_cells[region]))


@rule
def _reach_beside(s: Discovery, workspace: Workspace, region: int) -> float:
    """p^N of CD-48: p^R over the union of the open coordinates of all grasslands beside the region."""
    workspace.stamp += 1
    stamp = workspace.stamp
    total = 0.0
    piece = region
    while True:
        tile = int(s.piece_tile[piece])
        first = int(s.tile_piece[tile])
        beside = int(NEXT_GRASSLANDS[s.tile_kind[tile], piece - first])
        for segment in range(int(SEGMENTS[s.tile_kind[tile]])):
            if beside >> segment & 1:
                grassland = int(s.piece_region[first + segment])
                if workspace.seen[grassland] != stamp:
                    workspace.seen[grassland] = stamp
                    total += workspace.reach_sum[grassland]
        piece = int(s.piece_next[piece])
        if piece == region:
            break
    for k in range(workspace.shared):
        cell = workspace.shared_cells[k]
        times = 0
        for side in range(4):
            grassland = _looking_in(s, cell, side)
            if grassland != NOTHING and workspace.seen[grassland] == stamp:
                times += 1
        if times > 1:
            total -= (times - 1) * workspace.reach[s.cell_code[cell]]
    return total


@rule
def closing_chance(s: Discovery, workspace: Workspace, region: int) -> float:
    """p^U of CD-46; 0 for a closed region."""
    if s.region_ends[region] == 0:
        return 0.0
    own_turns = int(s.deck_left) // int(s.players)
    return at_least(workspace.open_cells[region], own_turns, _mean_share(s, workspace, region))


@rule
def potential_inputs(s: Discovery, workspace: Workspace, region: int, out: Array) -> None:
    """The arguments of Φ into out[:8]: v, m, n, i, p^U, p^R, p^N, h_t; `survey` must have been made before."""
    own = int(s.region_cities[region])
    out[0] = s.region_tiles[region]
    out[1] = city_total(own)
    out[2] = city_total(all_cities(s, region) & ~own)
    out[3] = 1.0 if s.region_ends[region] == 0 and s.region_tiles[region] >= 3 else 0.0
    out[4] = closing_chance(s, workspace, region)
    out[5] = workspace.reach_sum[region]
    out[6] = _reach_beside(s, workspace, region)
    out[7] = workspace.city_chance[terrain_of(s, region)]


@rule
def phi(s: Discovery, settings: Settings, workspace: Workspace, region: int) -> float:
    """Φ(r) of CD-42, each quantity X as A + B·X (CD-68); `survey` must have been made of this position."""
    terrain = terrain_of(s, region)
    size = int(s.region_tiles[region])
    own = int(s.region_cities[region])
    closed = s.region_ends[region] == 0
    shift, scale = settings.shift, settings.scale
    secure = shift[0, terrain] + scale[0, terrain] * (1.0 if closed and size >= 3 else 0.0)  # i of CD-43
    secure += shift[1, terrain] + scale[1, terrain] * closing_chance(s, workspace, region)
    growth = shift[2, terrain] + scale[2, terrain] * workspace.reach_sum[region]
    h = workspace.city_chance[terrain]
    c = settings.constants
    value = (c[0, 0, terrain] + c[0, 1, terrain] * secure) * (size + c[0, 2, terrain] * growth)
    value += (c[1, 0, terrain] + c[1, 1, terrain] * secure) * (city_total(own) + c[1, 2, terrain] * growth * h)
    if c[2, 0, terrain] != 0.0 or c[2, 1, terrain] != 0.0:
        beside = city_total(all_cities(s, region) & ~own)
        growth_beside = shift[3, terrain] + scale[3, terrain] * _reach_beside(s, workspace, region)
        growth_beside *= workspace.city_chance[GRASSLAND]
        value += (c[2, 0, terrain] + c[2, 1, terrain] * secure) * (beside + c[2, 2, terrain] * growth_beside)
    return float(value)


@rule
def normalised(s: Discovery, settings: Settings, workspace: Workspace, region: int, value: float) -> float:
    """w(r) of CD-40: Φ times the chance of a tile with which the open region can be occupied."""
    if settings.weighting == GEOMETRIC:
        return value * _mean_share(s, workspace, region)
    if settings.weighting == FIT:
        if s.deck_left == 0:
            return 0.0
        return value * _fitting_any(s, workspace, region) / int(s.deck_left)
    return value


@rule
def _fitting_any(s: Discovery, workspace: Workspace, region: int) -> int:
    """How many deck tiles fit on at least one open coordinate of the region."""
    first = workspace.first_cell[region]
    if workspace.link_after[first] == NOTHING:
        return int(workspace.fitting[s.cell_code[workspace.cell_of_link[first]]])
    fitting = 0
    for kind in range(KINDS):
        if s.deck[kind] == 0:
            continue
        link = first
        while link != NOTHING:
            if fitting_turns(kind, int(s.cell_code[workspace.cell_of_link[link]])) != 0:
                fitting += int(s.deck[kind])
                break
            link = workspace.link_after[link]
    return fitting
