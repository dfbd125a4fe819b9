import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TableSocket, type Condition } from "./socket";

/** A connection of which nothing is heard until the test says so. */
class SilentSocket {
  static readonly OPEN = 1;
  static made: SilentSocket[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(readonly address: string) {
    SilentSocket.made.push(this);
  }
  send(): void {}
  close(): void {}
}

describe("a table's connection", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    SilentSocket.made = [];
    vi.stubGlobal("WebSocket", SilentSocket);
    vi.stubGlobal("addEventListener", () => {});
    vi.stubGlobal("removeEventListener", () => {});
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  function connected(): Condition[] {
    const seen: Condition[] = [];
    new TableSocket("ws://here", { hello: () => ({}), message: () => {}, condition: (now) => seen.push(now) });
    return seen;
  }

  it("is tried again when the server takes the call and says nothing", () => {
    const seen = connected();
    vi.advanceTimersByTime(14_000);
    expect(seen).toEqual(["connecting"]);
    vi.advanceTimersByTime(2_000);
    expect(seen).toEqual(["connecting", "lost", "connecting"]);
    expect(SilentSocket.made).toHaveLength(2);
  });

  it("is tried again after what passes, and ends with what does not", () => {
    const seen = connected();
    SilentSocket.made[0]!.onmessage!({ data: '{"type": "error", "error": {"code": "unavailable", "message": "Preparing", "retry_after": 5}}' });
    expect(seen).toEqual(["connecting", "lost"]);
    vi.advanceTimersByTime(7_000);
    expect(SilentSocket.made).toHaveLength(2);
    SilentSocket.made[1]!.onmessage!({ data: '{"type": "error", "error": {"code": "not_found", "message": "No such table"}}' });
    vi.advanceTimersByTime(60_000);
    expect(SilentSocket.made).toHaveLength(2);
    expect(seen.at(-1)).toBe("closed");
  });

  it("is left alone while the heart beats", () => {
    const seen = connected();
    for (let beat = 0; beat < 6; beat += 1) {
      vi.advanceTimersByTime(beat ? 20_000 : 10_000);
      SilentSocket.made[0]!.onmessage!({ data: '{"type": "heartbeat"}' });
    }
    expect(seen).toEqual(["connecting"]);
    vi.advanceTimersByTime(52_000);
    expect(SilentSocket.made).toHaveLength(2);
  });
});
