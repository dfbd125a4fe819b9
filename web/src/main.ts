/** The page begins here. */
import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { words } from "./lib/words/index.svelte";

void words.open().then(() => mount(App, { target: document.getElementById("page")! }));
