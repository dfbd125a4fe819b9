/** Sounds made by the page itself: short, quiet, and only when they are wanted. */

type Note = readonly [frequency: number, start: number, length: number]; // hertz, seconds

const SOUNDS = {
  move: [[196, 0, 0.07], [147, 0.012, 0.06]], // a piece of wood on wood
  turn: [[523, 0, 0.16], [784, 0.09, 0.22]],
  end: [[392, 0, 0.2], [494, 0.12, 0.22], [587, 0.24, 0.4]],
} satisfies Record<string, readonly Note[]>;
export type Sound = keyof typeof SOUNDS;

const LOUDNESS = 0.09;
let context: AudioContext | null = null;

/** Plays a sound; silent where the browser has none, or nobody has touched the page yet. */
export function play(sound: Sound): void {
  if (typeof AudioContext === "undefined" || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const [frequency, start, length] of SOUNDS[sound]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = sound === "move" ? "triangle" : "sine";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, now + start);
    volume.gain.linearRampToValueAtTime(LOUDNESS, now + start + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(now + start);
    tone.stop(now + start + length + 0.02);
  }
}
