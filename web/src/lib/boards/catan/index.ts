export { default as Board } from "./Board.svelte";
export { pace, prompt, results } from "./words";
