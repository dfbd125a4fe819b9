/** The boards as one file for notebooks, reports and other sites: everything inside, styles too. */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** The element brings the boards' palettes in by itself, so no file of styles is needed. */
const withoutStyles: Plugin = {
  name: "without-styles",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const file of Object.keys(bundle)) if (file.endsWith(".css")) delete bundle[file];
  },
};

export default defineConfig({
  plugins: [svelte({ compilerOptions: { css: "injected" } }), withoutStyles],
  // One file cannot load languages when they are wanted: it speaks English.
  resolve: { alias: [{ find: /^.*\/words\/index\.svelte$/, replacement: "/src/embed/words.ts" }] },
  publicDir: false,
  build: {
    outDir: "../ludens/server/static/embed",
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: "src/embed/main.ts", formats: ["iife"], name: "ludens", fileName: () => "boards.js" },
  },
});
