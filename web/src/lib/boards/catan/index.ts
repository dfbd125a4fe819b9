export { default as Board } from "./Board.svelte";
export { describe, describeWhole, pace, points, prompt, results } from "./words";
