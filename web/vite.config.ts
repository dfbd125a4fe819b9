import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:8137"; // `ludens serve`, for `npm run dev`

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  json: { namedExports: false }, // catalogues are read as a whole: a name for every word would only be sent along
  build: {
    outDir: "../ludens/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: (file) => (file.endsWith(".woff2") ? false : undefined), // letters that are seldom shown load when they are
  },
  server: { proxy: { "/api": { target: server, ws: true }, "/health": server } },
  test: { environment: "node", include: ["src/**/*.test.ts"] },
}));
