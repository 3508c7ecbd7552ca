/** The structure of the site: allowed imports between parts, and the layout of `ui`. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { ACTIONS } from "./api/actions";

const SRC = join(process.cwd(), "src");
const SPECIFIER = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

interface Import {
  file: string;
  from: string;
  to: string;
  /** The path below `src`, or the package's name. */
  path: string;
}

/** The part of the site that contains a file: `domain`, `ui`, `api` or `features/name`. */
function partOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "features" ? `${first}/${second}` : first;
}

const imports = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
  .flatMap((file): Import[] => {
    const text = readFileSync(join(SRC, file), "utf8");
    return [...text.matchAll(SPECIFIER)].map(([, specifier = ""]) => {
      const isOurs = specifier.startsWith(".");
      const path = isOurs ? relative(SRC, join(SRC, dirname(file), specifier)) : specifier;
      return { file, from: partOf(file), to: isOurs ? partOf(path) : "package", path };
    });
  });

function broken(isWrong: (one: Import) => boolean): string[] {
  return imports.filter(isWrong).map(({ file, to }) => `${file} imports ${to}`);
}

test("the imports are read", () => expect(imports.length).toBeGreaterThan(100));

test("domain imports nothing but itself and the generated types", () => {
  const isOurs = (path: string) => path.startsWith("domain/") || path === "api/schema";
  expect(broken(({ from, path }) => from === "domain" && !isOurs(path))).toEqual([]);
  expect(imports.some(({ path }) => path === "domain/live")).toBe(true);
});

test("messages import nothing but themselves", () => {
  const allowed = ["messages", "package"];
  expect(broken(({ from, to }) => from === "messages" && !allowed.includes(to))).toEqual([]);
});

test("ui imports only messages from the site", () => {
  const isOurs = (to: string) => to.startsWith("features") || to === "api" || to === "domain";
  expect(broken(({ from, to }) => from === "ui" && isOurs(to))).toEqual([]);
});

test("addresses and navigation import nothing from the site", () => {
  const isWay = (part: string) => part === "addresses.ts" || part === "navigate.tsx";
  expect(imports.filter(({ from }) => isWay(from)).length).toBeGreaterThan(1);
  expect(broken(({ from, to }) => isWay(from) && to !== "package")).toEqual([]);
});

test("languages are fetched on demand: nothing imports Italian statically", () => {
  const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(SRC, file), "utf8") }));
  const wrong = sources.filter(({ text }) => /from "[^"]*\/it"/.test(text));
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

/** True for a file named after its folder, like `ui/flag/flag`, and for its style sheet. */
function isMainFile(path: string): boolean {
  const [, folder = "", file = ""] = path.split("/");
  return file === folder || file === `${folder}.module.css`;
}

test("a folder of ui is imported only through its main file", () => {
  const folderOf = (path: string) => path.split("/").slice(0, 2).join("/");
  const fromElsewhere = imports.filter(({ file, to, path }) => {
    return to === "ui" && path.split("/").length > 2 && folderOf(file) !== folderOf(path);
  });
  expect(fromElsewhere.length).toBeGreaterThan(50);
  expect(fromElsewhere.filter(({ path }) => !isMainFile(path))).toEqual([]);
  expect(isMainFile("ui/board-table/board-rows")).toBe(false);
});

const SHEETS = ["base.css", "fonts.css", "tokens.css"];

/** Files of ui that are not in a folder with a main file. */
function misplaced(files: readonly string[]): string[] {
  const loose = files.filter((file) => !file.includes("/") && !SHEETS.includes(file));
  const folders = new Set(files.filter((file) => file.includes("/")).map((file) => dirname(file)));
  const headless = [...folders].filter((folder) => {
    return !files.some((file) =>
      [`${folder}/${folder}.ts`, `${folder}/${folder}.tsx`].includes(file),
    );
  });
  return [...loose, ...headless];
}

test("a component of ui has a folder, and the folder has its name", () => {
  const files = readdirSync(join(SRC, "ui"), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.\w+$/.test(file));
  expect(files.length).toBeGreaterThan(40);
  expect(misplaced(files)).toEqual([]);
  const planted = ["base.css", "dialog.tsx", "flag/flag.tsx", "flag/flag.css", "field/input.tsx"];
  expect(misplaced(planted)).toEqual(["dialog.tsx", "field"]);
});

test("organizer code is imported only by organizer pages", () => {
  const isTheirs = (path: string) =>
    path === "api/actions" || /^(api|features|messages)\/organize([/-]|$)/.test(path);
  const fromElsewhere = imports.filter(({ file, path }) => {
    return isTheirs(path) && !isTheirs(file.replace(/\.tsx?$/, ""));
  });
  expect(imports.filter(({ path }) => isTheirs(path)).length).toBeGreaterThan(20);
  // Pages are loaded on demand.
  expect(new Set(fromElsewhere.map(({ file }) => file))).toEqual(new Set(["pages.ts"]));
  const pages = readFileSync(join(SRC, "pages.ts"), "utf8");
  expect(pages).not.toMatch(/from "[^"]*organize/);
});

test("features never import each other", () => {
  const isFeature = (part: string) => part.startsWith("features/");
  expect(broken(({ from, to }) => isFeature(from) && isFeature(to) && from !== to)).toEqual([]);
});

test("api imports domain only", () => {
  const allowed = ["api", "domain", "package"];
  expect(broken(({ from, to }) => from === "api" && !allowed.includes(to))).toEqual([]);
});

test("no pattern matches action names: the server's list defines their rules", () => {
  const groups = new Set(Object.keys(ACTIONS).map((name) => name.split(".")[0]));
  const pattern = new RegExp(String.raw`\b(?:${[...groups].join("|")})\)?\\\.`);
  const wrong = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
    .filter((file) => pattern.test(readFileSync(join(SRC, file), "utf8")));
  expect(wrong).toEqual([]);
  expect(pattern.test(String.raw`/^(challenge|event)\.|x/`)).toBe(true);
  expect(pattern.test(String.raw`/^team\.(ban|hide)/`)).toBe(true);
});
