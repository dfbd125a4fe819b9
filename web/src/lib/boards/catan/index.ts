export { default as Board } from "./Board.svelte";
export { describe, pace, prompt, results } from "./words";
