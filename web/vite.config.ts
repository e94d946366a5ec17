import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/console/",
  plugins: [svelte()],
  build: {
    outDir: "../service/web/dist",
    emptyOutDir: true,
    // The server's content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    target: "es2023",
  },
});
