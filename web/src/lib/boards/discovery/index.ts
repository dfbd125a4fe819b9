export { default as Board } from "./Board.svelte";
export { describe, pace, points, prompt, results } from "./words";
