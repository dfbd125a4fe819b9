import { afterEach, describe, expect, it, vi } from "vitest";
import { Refused, undo } from "./client";

/** A server that answers one request after another and keeps their bodies. */
function serving(...answers: { status: number; body: unknown }[]) {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", (_: string, request: { body: string }) => {
    bodies.push(JSON.parse(request.body));
    const { status, body } = answers.shift()!;
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return bodies;
}

const stale = (ply: number, undos: number) => ({
  status: 409,
  body: { error: { code: "stale_move", message: "An older ply.", view: { ply, undos } } },
});

describe("taking back", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("is repeated for the present ply when an agent has moved meanwhile", async () => {
    const bodies = serving(stale(8, 1), { status: 200, body: { ply: 6 } });
    expect(await undo("t", "secret", { ply: 7, undos: 1 })).toEqual({ ply: 6 });
    expect(bodies).toEqual([{ ply: 7 }, { ply: 8 }]);
  });

  it("is not repeated when the choice has been taken back already", async () => {
    const bodies = serving(stale(9, 2));
    await expect(undo("t", "secret", { ply: 7, undos: 1 })).rejects.toThrow(Refused);
    expect(bodies).toHaveLength(1);
  });
});
