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

export default defineConfig({
  base: "/console/",
  plugins: [svelte(), serviceWorker()],
  build: {
    outDir: "../service/web/dist",
    emptyOutDir: true,
    // The server's content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    target: "es2023",
  },
});
