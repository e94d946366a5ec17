import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

/** Write the service worker with a version that changes with the built files. */
function serviceWorker() {
  return {
    name: "service-worker",
    generateBundle(_, bundle) {
      const source = readFileSync(new URL("service-worker.js", import.meta.url), "utf8");
      const files = Object.keys(bundle).sort().join("\n");
      const version = createHash("sha256").update(source).update(files).digest("hex").slice(0, 12);
      this.emitFile({
        type: "asset",
        fileName: "service-worker.js",
        source: source.replace("__VERSION__", version),
      });
    },
  };
}

/**
 * The parts that pages share: what every page needs, and what the pages of a session need. Without
 * them, the table would be loaded as thirty small files, each with a request of its own.
 */
const PARTS = [
  {
    name: "main",
    test: /src\/(main\.ts|shell\/(TopBar|Face|Sheet|visits|times|seats)|api\/(client|sign-in)|join\/me|campaign\/known)|lucide/,
    priority: 1,
  },
  { name: "session", test: /src\/(shell\/(Header|CopyText|clipboard)|review\/(Peek|Track|track|marks|lineage)|table\/(Action\.svelte|TurnCard|session))/ },
];

export default defineConfig({
  base: "/console/",
  plugins: [svelte(), serviceWorker()],
  build: {
    outDir: "../service/web/dist",
    emptyOutDir: true,
    // The server's content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    // The server reads in it which files a page needs.
    manifest: "files.json",
    rolldownOptions: { output: { codeSplitting: { groups: PARTS } } },
    target: "es2023",
  },
});
