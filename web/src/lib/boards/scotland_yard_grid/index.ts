export { default as Board } from "./Board.svelte";
export { pace, prompt, results } from "../scotland_yard/words";
