/** The page begins here. */
import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { words } from "./lib/words/index.svelte";

// An installed page: its shell opens without the server. Only where the browser allows it: here, or by https.
if (import.meta.env.PROD) void navigator.serviceWorker?.register("/sw.js").catch(() => undefined);

// A page from before the server was renewed asks for parts that are gone: it begins anew, once.
const RENEWED = "ludens.renewed";
addEventListener("vite:preloadError", () => {
  if (Date.now() - Number(sessionStorage.getItem(RENEWED) ?? 0) < 60_000) return;
  sessionStorage.setItem(RENEWED, String(Date.now()));
  location.reload();
});

void words.open().then(() => mount(App, { target: document.getElementById("page")! }));
