/* The shell of the installed page: it opens without the server, and is never older than the server's.
 *
 * The page itself is asked for over the network first; what is kept stands in only where no server answers.
 * Files under /assets/ are named by their content, so a kept one is never stale. Answers of the interface are
 * neither kept nor touched.
 */
const SHELL = "ludens-shell";
const PAGE = "/";

/** The files that a page names. */
const named = (text) => [...new Set(text.match(/\/assets\/[\w.-]+\.(?:js|css|woff2)/g) ?? [])];

/** Keeps a page with its files, all or nothing, and forgets those of the page before. */
async function keep(page) {
  const cache = await caches.open(SHELL);
  const text = await page.clone().text();
  const before = await (await cache.match(PAGE))?.text();
  if (text === before) return;
  const files = named(text);
  await cache.addAll(files);
  for (const style of files.filter((file) => file.endsWith(".css"))) {
    const fonts = named(await (await cache.match(style)).text()).filter((file) => !file.includes("-ext-"));
    await cache.addAll(fonts);
    files.push(...fonts);
  }
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname.startsWith("/assets/") && !files.includes(pathname)) await cache.delete(url);
  }
  await cache.put(PAGE, page);
}

self.addEventListener("install", (event) => {
  event.waitUntil(
    fetch(PAGE, { cache: "no-cache" })
      .then(keep)
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && !pathname.startsWith("/api/")) event.respondWith(opened(event));
  else if (pathname.startsWith("/assets/")) event.respondWith(file(request));
});

/** The server's page; without a server the kept one, which says what is the matter. */
async function opened(event) {
  try {
    const page = await fetch(event.request);
    if (page.ok && page.headers.get("content-type")?.startsWith("text/html")) event.waitUntil(keep(page.clone()).catch(() => undefined));
    return page;
  } catch (error) {
    const kept = await caches.match(PAGE, { cacheName: SHELL });
    if (kept) return kept;
    throw error;
  }
}

/** A file by its name, which says what is in it. */
async function file(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept) return kept;
  const found = await fetch(request);
  if (found.ok) await cache.put(request, found.clone());
  return found;
}
