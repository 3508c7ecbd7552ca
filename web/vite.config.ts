import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { icuMessages } from "./tools/icu";

// Scripts, sheets and media each in their own folder, all with a hash in the name. Nothing is
// inlined: the site is served under a policy without `unsafe-inline`.
function assetFile(name: string | undefined): string {
  const folder = name?.endsWith(".css") ? "css" : "media";
  return `static/${folder}/[name]-[hash][extname]`;
}

/**
 * What every page needs is one chunk, what several pages share another: each file more is a request
 * more, and is packed by itself.
 */
const EVERY_PAGE = [
  "main",
  "site",
  "(addresses|navigate|pages|routes)",
  "api/(?!organize)",
  "features/shell/shell",
  "messages/(en|language|translate)",
  "domain/(countdown|flag-format|news|text)",
];
/** What the forms of accounts share. */
const FORMS = [
  "ui/(field|form|captcha/(captcha|remote|widget))",
  "features/account/(attempt|captcha-field|login-form|outcome)",
];
const CHUNKS = [
  { name: "site", test: new RegExp(`/src/(${EVERY_PAGE.join("|")})`) },
  { name: "flags", test: /\/src\/ui\/flag|\/vectors\/countries/ },
  { name: "form", test: new RegExp(`/src/(${FORMS.join("|")})`) },
  { name: "board", test: /\/src\/(domain|ui)\/(?!html|captcha)/, minShareCount: 2 },
];

/**
 * Tells V8 to compile the whole file on its background thread, while it arrives, and not function
 * by function as they are first called (v8.dev/blog/explicit-compile-hints). For what a page calls
 * at once.
 */
const COMPILE_EARLY = "//# allFunctionsCalledOnLoad";
const EARLY = new Set(["site", "board", "page"]);

const FIRST_PAINT = "src/first-paint.js";

/**
 * The script that runs before the first paint. It is a file, since the policy of the site forbids
 * scripts in the page, and no module, since those run when the page is parsed.
 */
function firstPaint(): Plugin {
  return {
    name: "first-paint",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_page, { bundle = {} }) {
        const asset = Object.values(bundle).find(({ name }) => name === "first-paint");
        if (!asset) throw new Error("the first paint's script was not built");
        return [{ tag: "script", attrs: { src: `/${asset.fileName}` }, injectTo: "head-prepend" }];
      },
    },
    buildStart() {
      this.emitFile({ type: "chunk", id: FIRST_PAINT, name: "first-paint" });
    },
  };
}

export default defineConfig({
  plugins: [icuMessages(), react(), firstPaint()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // What pages share is in chunks beside theirs: a page that exports more than itself needs a
      // helper, which every player would load.
      experimental: { chunkOptimization: false },
      output: {
        entryFileNames: "static/js/[name]-[hash].js",
        chunkFileNames: "static/js/[name]-[hash].js",
        assetFileNames: ({ names }) => assetFile(names[0]),
        codeSplitting: { groups: CHUNKS },
        postBanner: ({ name }) => (EARLY.has(name) ? COMPILE_EARLY : ""),
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
    // A sheet that is linked by its address has one in tests, too.
    css: { include: [/organize-pages/] },
    restoreMocks: true,
    // A busy machine is slow, not wrong; what is waited for has its own bound.
    testTimeout: 20_000,
    // The default leaves one processor idle, half of what continuous integration has.
    maxWorkers: "100%",
    unstubGlobals: true,
  },
});
