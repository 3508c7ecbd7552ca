import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { icuMessages } from "./tools/icu";

// Scripts, style sheets and media have separate folders, and a hash in the name. Nothing is
// inlined, because the site's content security policy has no `unsafe-inline`.
function assetFile(name: string | undefined): string {
  const folder = name?.endsWith(".css") ? "css" : "media";
  return `static/${folder}/[name]-[hash][extname]`;
}

/**
 * Modules that every page needs, in one chunk. Modules that several pages share are in another.
 * Each additional file costs a request and is compressed separately.
 */
const EVERY_PAGE = [
  "main",
  "site",
  "(addresses|navigate|pages|routes)",
  "api/(?!organize|actions|asking|drafts|look\\.|team-draft)",
  "features/shell/shell",
  "messages/(en|language|translate)",
  "domain/(countdown|flag-format|news|text)",
  "ui/motion/",
];
/** Modules that the account forms and the flag form share. */
const FORMS = [
  "api/(asking|drafts|team-draft)",
  "domain/draft",
  "ui/(copy|field|form|captcha/(captcha|remote|widget))",
  "features/account/(attempt|captcha-field|login-form|outcome)",
];
/** Figures without the board's table: for the home page. */
const LIVE = "domain/highlights|ui/(throttle|shake)/|features/home/(public-board|\\w+\\.module)";
const CHUNKS = [
  { name: "site", test: new RegExp(`/src/(${EVERY_PAGE.join("|")})`) },
  { name: "flags", test: /\/src\/ui\/flag|\/vectors\/countries/ },
  { name: "form", test: new RegExp(`/src/(${FORMS.join("|")})`) },
  { name: "live", test: new RegExp(`/src/(${LIVE})`), minShareCount: 2 },
  {
    name: "ranks",
    test: /\/src\/(domain\/(board|points)|ui\/(pennant|category-sign)\/)/,
    minShareCount: 2,
  },
  {
    name: "text",
    test: /\/(src\/ui\/(html|notice|questions|text-page)|dompurify)\//,
    minShareCount: 2,
  },
  {
    name: "board",
    test: /\/src\/((domain|ui)\/(?!captcha|qr-code|since|zoned)|features\/scoreboard\/view)/,
    minShareCount: 2,
  },
  { name: "since", test: /\/src\/(api\/look\.|domain\/since|ui\/since)/ },
];

/**
 * Makes V8 compile the whole file on a background thread while it downloads, instead of each
 * function at its first call (v8.dev/blog/explicit-compile-hints). For code that a page runs
 * immediately.
 */
const COMPILE_EARLY = "//# allFunctionsCalledOnLoad";
const EARLY = new Set(["site", "board", "page"]);
/** Code of the frame and the lists of organizers, and of their menus, which has no fixed chunks. */
const EARLY_MODULES =
  /\/src\/features\/organize\/(frame|filters|change|lists)\/|\/@ariakit\/|\/virtual-core\//;

const FIRST_PAINT = "src/first-paint.js";

/**
 * Adds the script that runs before the first paint. It is a file because the site's content
 * security policy forbids inline scripts, and not a module because modules run after the page is
 * parsed.
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

/** Adds the hint to compile early, which must be the first line of a file. */
function compileEarly(): Plugin {
  return {
    name: "compile-early",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== "chunk") continue;
          if (EARLY.has(chunk.name) || chunk.moduleIds.some((id) => EARLY_MODULES.test(id))) {
            chunk.code = `${COMPILE_EARLY}\n${chunk.code}`;
          }
        }
      },
    },
  };
}

export default defineConfig({
  plugins: [icuMessages(), react(), firstPaint(), compileEarly()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Keeps shared code out of the chunks of pages. A page chunk that exports shared code would
      // need a helper, which every player would load.
      experimental: { chunkOptimization: false },
      output: {
        entryFileNames: "static/js/[name]-[hash].js",
        chunkFileNames: "static/js/[name]-[hash].js",
        assetFileNames: ({ names }) => assetFile(names[0]),
        codeSplitting: { groups: CHUNKS },
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
    setupFiles: "src/test-setup.ts",
    // Style sheets that are linked by URL need a URL in tests, too.
    css: { include: [/organize-pages/] },
    restoreMocks: true,
    // Tests may be slow on a busy machine. Waits in tests have their own limits.
    testTimeout: 20_000,
    // The default leaves one processor idle; continuous integration has two.
    maxWorkers: "100%",
    unstubGlobals: true,
  },
});
