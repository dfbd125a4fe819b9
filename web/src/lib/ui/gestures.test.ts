// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { gestures } from "./gestures";

function table() {
  const element = document.createElement("div");
  element.setPointerCapture = vi.fn();
  const hands = { drag: vi.fn(), pinch: vi.fn(), wheel: vi.fn() };
  const stop = gestures(hands)(element);
  const clicked = vi.fn();
  element.addEventListener("click", clicked);
  const send = (type: string, x: number, y: number, pointerId = 1) => {
    const event = new MouseEvent(type, { clientX: x, clientY: y, bubbles: true, button: 0 });
    Object.assign(event, { pointerId, pointerType: "touch" });
    element.dispatchEvent(event);
  };
  return { element, hands, stop, clicked, send };
}

describe("gestures", () => {
  it("a click with an unsteady finger is a click", () => {
    const { hands, clicked, send } = table();
    send("pointerdown", 10, 10);
    send("pointermove", 13, 12);
    send("pointerup", 13, 12);
    send("click", 13, 12);
    expect(hands.drag).not.toHaveBeenCalled();
    expect(clicked).toHaveBeenCalledOnce();
  });

  it("a drag moves the map and is no click", () => {
    const { hands, clicked, send } = table();
    send("pointerdown", 10, 10);
    send("pointermove", 40, 10);
    send("pointermove", 45, 15);
    send("pointerup", 45, 15);
    send("click", 45, 15);
    expect(hands.drag.mock.calls).toEqual([
      [30, 0],
      [5, 5],
    ]);
    expect(clicked).not.toHaveBeenCalled();
    send("pointerdown", 10, 10);
    send("pointerup", 10, 10);
    send("click", 10, 10);
    expect(clicked).toHaveBeenCalledOnce();
  });

  it("two fingers pinch", () => {
    const { hands, send } = table();
    send("pointerdown", 100, 100, 1);
    send("pointerdown", 200, 100, 2);
    send("pointermove", 300, 100, 2);
    expect(hands.pinch).toHaveBeenCalledWith(2, { x: 200, y: 100 }, 50, 0);
    expect(hands.drag).not.toHaveBeenCalled();
  });

  it("stops listening", () => {
    const { hands, send, stop } = table();
    stop();
    send("pointerdown", 10, 10);
    send("pointermove", 60, 10);
    expect(hands.drag).not.toHaveBeenCalled();
  });
});
