export { default as Board } from "./Board.svelte";
export { describe, describeWhole, pace, prompt, results } from "./words";
