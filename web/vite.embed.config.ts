/** The boards as one file for notebooks, reports and other sites: everything inside, styles too. */
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte({ compilerOptions: { css: "injected" } })],
  // One file cannot load languages when they are wanted: it speaks English.
  resolve: { alias: [{ find: /^.*\/words\/index\.svelte$/, replacement: fileURLToPath(new URL("src/embed/words.ts", import.meta.url)) }] },
  publicDir: false,
  build: {
    outDir: "../ludens/server/static/embed",
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: "src/embed/main.ts", formats: ["iife"], name: "ludens", fileName: () => "boards.js", cssFileName: "unused" },
  },
});
