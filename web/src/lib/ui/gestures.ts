/** Drag, pinch and wheel on a map, told apart from clicks. */

export interface Point {
  x: number;
  y: number;
}

export interface Hands {
  drag: (dx: number, dy: number) => void;
  pinch: (factor: number, at: Point, dx: number, dy: number) => void;
  wheel: (event: WheelEvent, at: Point) => void;
}

const STEADY = 7; // pixels that a finger may move within a click

/** Listens on an element until the returned function is called. */
export function gestures(hands: Hands): (element: Element) => () => void {
  return (element) => {
    const fingers = new Map<number, Point>();
    let start: Point | null = null;
    let dragging = false;

    const place = (event: { clientX: number; clientY: number }): Point => {
      const box = element.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };

    function down(event: PointerEvent): void {
      if (event.pointerType === "mouse" && event.button !== 0) return;
      if (!fingers.size) dragging = false;
      fingers.set(event.pointerId, place(event));
      start = place(event);
    }

    function move(event: PointerEvent): void {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = place(event);
      const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      if (!dragging && !others.length && start && Math.hypot(now.x - start.x, now.y - start.y) < STEADY) return;
      if (!dragging) {
        dragging = true;
        element.setPointerCapture(event.pointerId);
      }
      fingers.set(event.pointerId, now);
      const [other] = others;
      if (!other) return hands.drag(now.x - before.x, now.y - before.y);
      const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)];
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      hands.pinch(was ? is / was : 1, middle, (now.x - before.x) / 2, (now.y - before.y) / 2);
    }

    const up = (event: PointerEvent) => void fingers.delete(event.pointerId);

    /** The click that ends a drag is none. */
    function click(event: Event): void {
      if (!dragging) return;
      dragging = false;
      event.stopPropagation();
      event.preventDefault();
    }

    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      hands.wheel(event, place(event));
    };

    const listeners: [string, (event: never) => void, AddEventListenerOptions?][] = [
      ["pointerdown", down],
      ["pointermove", move],
      ["pointerup", up],
      ["pointercancel", up],
      ["click", click, { capture: true }],
      ["wheel", wheel, { passive: false }],
    ];
    for (const [name, listener, options] of listeners) element.addEventListener(name, listener as EventListener, options);
    return () => {
      for (const [name, listener, options] of listeners) element.removeEventListener(name, listener as EventListener, options);
    };
  };
}
