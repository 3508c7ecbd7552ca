/**
 * Compiles the message files of `src/messages/icu`, which use ICU MessageFormat, to modules:
 * a text without arguments stays a string, one with arguments becomes a function. The browser
 * needs no parser, and a mistake in a text fails the build. `{0}` is the first argument of the
 * call, `{1}` the second; `{name}` is a member of an argument that is an object.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import MessageFormat from "@messageformat/core";
import compileModule from "@messageformat/core/lib/compile-module";
import { parse, type Token } from "@messageformat/parser";
import type { Plugin } from "vite";

/** A message file: texts by the keys of the English messages. */
export type Texts = null | string | readonly Texts[] | { readonly [key: string]: Texts };

/** Groups keyed by an error code or by an English sentence instead of a message key. */
const LISTS = ["errors", "sentences"];

/** The text if it has no arguments, else null. */
function constant(tokens: readonly Token[]): string | null {
  const texts = tokens.map((token) => (token.type === "content" ? token.value : null));
  return texts.includes(null) ? null : texts.join("");
}

/** The expression for a text; those with arguments are added to `functions`. */
function expression(text: Texts, functions: Map<string, string>): string {
  if (text === null) return "null";
  if (typeof text === "string") {
    const known = constant(parse(text));
    if (known !== null) return JSON.stringify(known);
    const name = `f${functions.size}`;
    functions.set(name, text);
    return `call(compiled.${name})`;
  }
  if (Array.isArray(text)) {
    const before = functions.size;
    const parts = text.map((one) => expression(one, functions));
    if (functions.size === before) return `[${parts}]`;
    const called = parts.map((part) => (part.startsWith("call(") ? `${part}(...args)` : part));
    return `(...args) => [${called}]`;
  }
  const members = Object.entries(text).map(([key, value]) => {
    const member = LISTS.includes(key) ? JSON.stringify(value) : expression(value, functions);
    return `${JSON.stringify(key)}: ${member}`;
  });
  return `{${members}}`;
}

/** The module of a message file. */
export function compileMessages(texts: { readonly [key: string]: Texts }): string {
  const functions = new Map<string, string>();
  const messages = expression(texts, functions);
  const format = new MessageFormat(String(texts.locale));
  const compiled = compileModule(format, Object.fromEntries(functions));
  return [
    compiled.replace("export default", "const compiled ="),
    "const call = (f) => (...args) => f(args[0] instanceof Object ? args[0] : args);",
    `export const messages = ${messages};`,
  ].join("\n");
}

/** Prefix of compiled modules. The name must not end in `.json`, which another plugin parses. */
const COMPILED = "\0icu:";

export function icuMessages(): Plugin {
  let root = "";
  return {
    name: "icu-messages",
    enforce: "pre",
    configResolved(config) {
      root = config.root;
    },
    resolveId: {
      filter: { id: /\/icu\/\w+\.json$/ },
      handler(source, importer = root) {
        const file = source.startsWith("/") ? source : join(dirname(importer), source);
        const isWhole = file.startsWith(root);
        return COMPILED + (isWhole ? file : join(root, file)).replace(/\.json$/, "");
      },
    },
    load: {
      filter: { id: new RegExp(`^${COMPILED}`) },
      handler(id) {
        const file = `${id.slice(COMPILED.length)}.json`;
        this.addWatchFile(file);
        return compileMessages(JSON.parse(readFileSync(file, "utf8")));
      },
    },
  };
}
