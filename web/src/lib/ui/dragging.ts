/** Things that are dragged to where they belong, told apart from clicks; what is dropped elsewhere goes back. */

export interface Carrier {
  /** What a drag that begins at this element lifts; null where there is nothing to lift. */
  liftable: (element: Element, at: { clientX: number; clientY: number }) => Element | null;
  lift: (thing: Element) => void; // the drag begins
  drop: (under: Element | null) => void; // over this element
  move?: (event: PointerEvent) => void; // draws it itself; else a copy follows the pointer
}

const STEADY = 8; // pixels that a pointer may move within a click

/** Listens on an element until the returned function is called. */
export function dragging(carrier: Carrier): (element: Element) => () => void {
  return (element) => {
    let thing: Element | null = null;
    let start = { x: 0, y: 0 };
    let copy: HTMLElement | null = null;
    let moving = false;
    let dropped = 0; // when, so that the click that ends the drag is none

    function down(event: PointerEvent): void {
      if (!event.isPrimary || event.button !== 0) return;
      thing = carrier.liftable(event.target as Element, event);
      if (!thing) return;
      start = { x: event.clientX, y: event.clientY };
      event.stopPropagation(); // the map under it stays
      if (event.pointerType === "touch") (event.target as Element).releasePointerCapture?.(event.pointerId);
      addEventListener("pointermove", move);
      addEventListener("pointerup", up);
      addEventListener("pointercancel", cancel);
    }

    function move(event: PointerEvent): void {
      if (!thing) return;
      if (!moving) {
        if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < STEADY) return;
        moving = true;
        if (!carrier.move) copy = copyOf(thing);
        carrier.lift(thing);
      }
      carrier.move?.(event);
      if (copy) copy.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
    }

    function up(event: PointerEvent): void {
      const was = moving;
      end();
      if (!was) return;
      carrier.drop(document.elementFromPoint(event.clientX, event.clientY)); // which may click itself
      dropped = event.timeStamp;
    }

    function cancel(): void {
      const was = moving;
      end();
      if (was) carrier.drop(null);
    }

    function end(): void {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancel);
      copy?.remove();
      [thing, copy, moving] = [null, null, false];
    }

    function click(event: Event): void {
      if (!dropped || event.timeStamp - dropped > 50) return;
      dropped = 0;
      event.stopPropagation();
      event.preventDefault();
    }

    const options = { capture: true };
    element.addEventListener("pointerdown", down as EventListener, options);
    element.addEventListener("click", click, options);
    return () => {
      end();
      element.removeEventListener("pointerdown", down as EventListener, options);
      element.removeEventListener("click", click, options);
    };
  };
}

/** A picture of the thing, to be moved about. */
function copyOf(thing: Element): HTMLElement {
  const { width, height } = thing.getBoundingClientRect();
  const copy = document.createElement("div");
  const picture = thing instanceof SVGSVGElement ? thing : part(thing);
  copy.style.cssText = `position: fixed; left: 0; top: 0; z-index: 40; pointer-events: none; width: ${width}px; height: ${height}px; opacity: 0.9`;
  const drawn = picture.cloneNode(true) as SVGElement;
  drawn.setAttribute("style", "width: 100%; height: 100%; overflow: visible");
  copy.append(drawn);
  (thing.closest(".accented") ?? document.body).append(copy);
  return copy;
}

/** A part of a drawing as a drawing of its own. */
function part(thing: Element): SVGSVGElement {
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const { x, y, width, height } = (thing as SVGGraphicsElement).getBBox();
  drawing.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  const inside = thing.cloneNode(true) as SVGElement;
  inside.removeAttribute("style");
  inside.removeAttribute("transform");
  drawing.append(inside);
  return drawing;
}
