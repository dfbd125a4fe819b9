/** The page begins here. */
import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { words } from "./lib/words/index.svelte";

// An installed page: its shell opens without the server. Only where the browser allows it: here, or by https.
if (import.meta.env.PROD) void navigator.serviceWorker?.register("/sw.js").catch(() => undefined);

void words.open().then(() => mount(App, { target: document.getElementById("page")! }));
