import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Scripts, sheets and media each in their own folder, all with a hash in the name. Nothing is
// inlined: the site is served under a policy without `unsafe-inline`.
function assetFile(name: string | undefined): string {
  const folder = name?.endsWith(".css") ? "css" : "media";
  return `static/${folder}/[name]-[hash][extname]`;
}

export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        entryFileNames: "static/js/[name]-[hash].js",
        chunkFileNames: "static/js/[name]-[hash].js",
        assetFileNames: ({ names }) => assetFile(names[0]),
      },
    },
  },
  worker: {
    format: "es",
    rolldownOptions: { output: { entryFileNames: "static/js/[name]-[hash].js" } },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } } },
  preview: { proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } } },
  test: {
    environment: "happy-dom",
    environmentOptions: { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: true } } },
    include: ["src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
    unstubGlobals: true,
  },
});
