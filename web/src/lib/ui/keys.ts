/** Keyboard play: what a click does, Enter and the space bar do too; arrows go to the next possible choice. */

/** A key handler that makes a drawn thing behave like a button. */
export function asButton(choose: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  };
}

const FORWARD = ["ArrowRight", "ArrowDown"];
const BACK = ["ArrowLeft", "ArrowUp"];

/** Lets the arrow keys walk over everything that can be chosen within an element. */
export function arrowKeys(event: KeyboardEvent & { currentTarget: Element }): void {
  const step = FORWARD.includes(event.key) ? 1 : BACK.includes(event.key) ? -1 : 0;
  if (!step) return;
  const choices = choicesIn(event.currentTarget);
  if (!choices.length) return;
  event.preventDefault();
  event.stopPropagation();
  const now = choices.indexOf(document.activeElement as HTMLElement);
  const next = now < 0 ? (step > 0 ? 0 : choices.length - 1) : (now + step + choices.length) % choices.length;
  choices[next]!.focus();
}

/** All that can be chosen within an element, in reading order. */
export function choicesIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('[role="button"][tabindex="0"], button:not(:disabled)')];
}
