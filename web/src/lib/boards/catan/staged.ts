/** The position as far as the film has told it: cards that come in a later frame are not counted yet. */
import type { GameEvent } from "../../api/types";
import { RESOURCES, total, type Cards, type CatanEvent, type CatanPosition, type Player } from "./position";

export function staged(position: CatanPosition, later: readonly GameEvent[]): CatanPosition {
  const coming = (later as readonly CatanEvent[]).filter(({ kind }) => kind === "production" || kind === "monopoly");
  if (!coming.length) return position;
  const players = position.players.map((player, seat) => coming.reduce((now, event) => without(now, seat, event), player));
  const bank = position.bank && { ...position.bank };
  for (const { kind, cards } of coming) {
    if (bank && kind === "production") for (const resource of RESOURCES) bank[resource] += cards?.[resource] ?? 0;
  }
  return { ...position, players, bank };
}

function without(player: Player, seat: number, event: CatanEvent): Player {
  if (event.kind === "production") return event.seat === seat ? changed(player, event.cards ?? {}, -1) : player;
  const cards: Cards = { [event.resource!]: event.count ?? 0 };
  if (event.seat === seat) return changed(player, cards, -1);
  return event.from === seat ? changed(player, cards, 1) : player;
}

function changed(player: Player, cards: Cards, sign: 1 | -1): Player {
  const known_cards = { ...player.known_cards };
  for (const resource of RESOURCES) known_cards[resource] = Math.max(0, known_cards[resource] + sign * (cards[resource] ?? 0));
  return { ...player, known_cards, cards: player.cards + sign * total(cards) };
}
