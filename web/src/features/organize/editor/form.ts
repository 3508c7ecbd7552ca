/**
 * Editor form values, read from a `challenge.yml` and written back. Only changed keys are written,
 * so the rest of the file stays unchanged. Pure.
 */
import type { DraftOf } from "../../../api/drafts";
import type { Fields, NamedFile } from "../../../api/organize-sources";
import { isRecord } from "../../../api/unknown";
import type { NamedChallenge } from "../change/fields";
import { timeValue } from "../change/order";

/** Flag kinds; the last two are per-team flags and decoys. */
export const FLAG_KINDS = [
  "static",
  "any_case",
  "regex",
  "regex_any_case",
  "team",
  "decoy",
] as const;

export interface FlagOf {
  readonly kind: string;
  readonly text: string;
  /** Original value from the file, written back while its meaning is unchanged. */
  readonly raw?: unknown;
}

export interface HintOf {
  readonly text: string;
  /** Local time in the device's zone; empty to release with the challenge. */
  readonly at: string;
  readonly title: string;
  /** Points; empty for a free hint. */
  readonly cost: string;
  /** Name of the hint in the requirements of others; empty for its place in the list. */
  readonly key: string;
  /** Keys of the hints to take first, separated by commas. */
  readonly after: string;
  readonly raw?: unknown;
}

export const EMPTY_HINT: HintOf = { text: "", at: "", title: "", cost: "", key: "", after: "" };

export interface FileOf {
  readonly name: string;
  /** Digest of an attachment, or of an upload that is not attached yet. */
  readonly digest: string;
  readonly bytes: number;
  readonly isNew: boolean;
  /** True if each team downloads a copy with its own flag. */
  readonly isPerTeam?: boolean;
  /** True if the file is only on the node that received it, and there are other nodes. */
  readonly otherNodes?: boolean;
}

const NO_TEXTS = {
  name: "",
  category: "",
  author: "",
  tags: "",
  difficulty: "",
  attribution: "",
  description: "",
  connection: "",
  flagFormat: "",
  logic: "",
  attempts: "",
  solution: "",
  position: "",
  type: "",
  value: "",
  initial: "",
  minimum: "",
  decay: "",
  values: "",
};

export type TextName = keyof typeof NO_TEXTS;

export interface Form extends Readonly<Record<TextName, string>> {
  readonly flags: readonly FlagOf[];
  readonly hints: readonly HintOf[];
  /** Challenge IDs. */
  readonly requirements: readonly string[];
  readonly files: readonly FileOf[];
}

/** Editor state: the form, and the ID of a new challenge. */
export type Typed = Form & { readonly id: string };
export type EditorDraft = DraftOf<Typed>;

export const EMPTY: Form = {
  ...NO_TEXTS,
  type: "dynamic",
  logic: "any",
  flags: [{ kind: "static", text: "" }],
  hints: [],
  requirements: [],
  files: [],
};

function text(value: unknown): string {
  const isPlain = ["string", "number", "boolean"].includes(typeof value);
  return isPlain ? String(value) : "";
}

/** Returns a list unchanged, and wraps any other value in one. */
function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined || value === "" ? [] : [value];
}

function record(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function flagOf(raw: unknown): FlagOf {
  if (!isRecord(raw)) return { kind: "static", text: text(raw), raw };
  const kind = text(raw.type) || "static";
  const anyCase = raw.data === "case_insensitive";
  const named = kind === "static" ? "any_case" : kind === "regex" ? "regex_any_case" : kind;
  return { kind: anyCase ? named : kind, text: text(raw.content), raw };
}

function flagField({ kind, text, raw }: FlagOf): unknown {
  if (raw !== undefined) {
    const before = flagOf(raw);
    if (before.kind === kind && before.text === text) return raw;
  }
  if (kind === "static") return text;
  const data = kind.endsWith("any_case") ? { data: "case_insensitive" } : {};
  const type = kind === "any_case" ? "static" : kind === "regex_any_case" ? "regex" : kind;
  return { type, content: text, ...data };
}

function hintOf(raw: unknown): HintOf {
  if (!isRecord(raw)) return { ...EMPTY_HINT, text: text(raw), raw };
  const at = Date.parse(text(raw.at));
  const { requirements } = raw;
  const after = isRecord(requirements) ? requirements.prerequisites : requirements;
  return {
    text: text(raw.content),
    at: Number.isNaN(at) ? "" : timeValue(at),
    title: text(raw.title),
    cost: text(raw.cost),
    key: text(raw.key ?? raw.id),
    after: (Array.isArray(after) ? after : [after]).map(text).filter(Boolean).join(", "),
    raw,
  };
}

/** A number where the text is one; the server reports other texts. */
function costField(cost: string): number | string {
  return /^\d+$/.test(cost) ? Number(cost) : cost;
}

function hintField(hint: HintOf): unknown {
  const { raw } = hint;
  const before = raw === undefined ? EMPTY_HINT : hintOf(raw);
  const after = hint.after.split(",").flatMap((key) => key.trim() || []);
  const fields = [
    { name: "at", isChanged: before.at !== hint.at, value: hint.at },
    { name: "title", isChanged: before.title !== hint.title, value: hint.title },
    { name: "cost", isChanged: before.cost !== hint.cost, value: costField(hint.cost.trim()) },
    { name: "key", isChanged: before.key !== hint.key, value: hint.key.trim() },
    { name: "requirements", isChanged: before.after !== hint.after, value: after },
  ].filter(({ isChanged }) => isChanged);
  if (raw !== undefined && before.text === hint.text && fields.length === 0) return raw;
  const kept = { ...record(raw) };
  for (const { name, value } of fields) {
    // `id` is another name of `key`.
    if (name === "key") delete kept.id;
    if (value === "" || (Array.isArray(value) && value.length === 0)) delete kept[name];
    else kept[name] = value;
  }
  if (Object.keys(kept).length === 0 && !isRecord(raw)) return hint.text;
  return { ...kept, content: hint.text };
}

/** Scoring type. An unknown type from another platform is derived from its keys. */
export function curveOf(type: string, extra: unknown = undefined): string {
  if (type === "dynamic" || type === "speedrun") return type;
  if (type === "standard" || type === "static" || type === "") return "standard";
  const keys = Object.keys(record(extra));
  return keys.some((key) => /^(initial|minimum|decay)$/.test(key)) ? "dynamic" : "standard";
}

function wantedOf(requirements: unknown): readonly unknown[] {
  return list(isRecord(requirements) ? requirements.prerequisites : requirements);
}

/** Builds the form of a challenge; `others` resolve requirement names to IDs. */
export function formOf(
  fields: Fields,
  known: readonly NamedFile[],
  others: readonly NamedChallenge[],
): Form {
  const extra = record(fields.extra);
  const idOf = (wanted: string) => {
    const found = others.find((one) => one.id === wanted || one.challengeName === wanted);
    return found?.id ?? wanted;
  };
  const fileOf = (raw: unknown): FileOf => {
    const name = text(isRecord(raw) ? raw.path : raw);
    const file = known.find((one) => one.name === name);
    const found = { name, digest: file?.digest ?? "", bytes: file?.bytes ?? 0, isNew: false };
    const isPerTeam = text(record(raw).per_team).toLowerCase() === "true";
    return isPerTeam ? { ...found, isPerTeam } : found;
  };
  const categories = [...list(fields.category), ...list(fields.categories)];
  return {
    name: text(fields.name),
    category: categories.map(text).join(", "),
    author: list(fields.author).map(text).join(", "),
    tags: list(fields.tags).map(text).join(", "),
    difficulty: text(fields.difficulty),
    attribution: text(fields.attribution),
    description: text(fields.description),
    connection: text(fields.connection_info),
    flagFormat: text(fields.flag_format),
    logic: text(fields.logic).trim().toLowerCase() || "any",
    attempts: text(fields.attempts),
    solution: text(fields.solution),
    position: text(fields.position),
    type: text(fields.type) || "standard",
    value: text(fields.value),
    initial: text(extra.initial),
    minimum: text(extra.minimum),
    decay: text(record(fields.scoring).decay),
    values: list(extra.values).map(text).join(", "),
    flags: list(fields.flags).map(flagOf),
    hints: list(fields.hints).map(hintOf),
    requirements: wantedOf(fields.requirements).map((one) => idOf(text(one))),
    files: list(fields.files).map(fileOf),
  };
}

function fileField({ name, digest, isNew, isPerTeam = false }: FileOf) {
  const copies = isPerTeam ? { per_team: true } : {};
  if (isNew) return { name, digest, ...copies };
  return isPerTeam ? { path: name, ...copies } : name;
}

/** Parses a whole number. Other text is returned unchanged for the server to reject. */
function number(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

function split(text: string): readonly string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** Returns an object without its null members; null if none is left. */
function orNull(members: Fields): Fields | null {
  const left = Object.entries(members).filter(([, value]) => value !== null);
  return left.length === 0 ? null : Object.fromEntries(left);
}

function scoringFields(form: Form, before: Fields): Fields {
  const { type, value, initial, minimum, decay, values } = form;
  const wasSame = text(before.type) === type;
  const kept = wasSame ? record(before.extra) : {};
  switch (curveOf(type, before.extra)) {
    case "dynamic": {
      const extra = { ...kept, initial: number(initial), minimum: number(minimum) };
      const scoring = { ...record(before.scoring), decay: number(decay) };
      return { type, extra: orNull(extra), scoring: orNull(scoring) };
    }
    case "speedrun":
      return { type, extra: { ...kept, values: split(values).map(number) }, scoring: null };
    default:
      return { type, value: number(value), ...(wasSame ? {} : { extra: null, scoring: null }) };
  }
}

function requirementsField(wanted: readonly string[], before: unknown): unknown {
  if (isRecord(before)) return { ...before, prerequisites: wanted };
  return wanted.length === 0 ? null : wanted;
}

/** The trimmed text; if it is empty, null, which removes the key. */
const line = (text: string) => (text.trim() === "" ? null : text.trim());

/** All keys that the form covers. `before` are the keys of the file. */
function allFields(form: Form, before: Fields): Fields {
  const [first, ...more] = split(form.category);
  const tags = split(form.tags);
  const flags = form.flags.filter(({ text }) => text !== "");
  const hints = form.hints.filter(({ text }) => text !== "");
  return {
    name: form.name.trim(),
    category: first ?? null,
    categories: more.length === 0 ? null : more,
    author: line(form.author),
    tags: tags.length === 0 ? null : tags,
    difficulty: line(form.difficulty),
    attribution: line(form.attribution),
    description: form.description,
    ...scoringFields(form, before),
    flags: flags.map(flagField),
    hints: hints.length === 0 ? null : hints.map(hintField),
    files: form.files.length === 0 ? null : form.files.map(fileField),
    requirements: requirementsField(form.requirements, before.requirements),
    connection_info: line(form.connection),
    flag_format: line(form.flagFormat),
    logic: form.logic === "any" ? null : form.logic,
    attempts: number(form.attempts),
    solution: line(form.solution),
    position: number(form.position),
  };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const CATEGORY_KEYS = new Set(["category", "categories"]);

/** Keys that an edit changes. `base` is the form as read from the file. */
export function changedFields(form: Form, base: Form, before: Fields): Fields {
  const was = allFields(base, before);
  const isMoved = !isSame(split(form.category), split(base.category));
  // The file may use either of the two keys, so both are written together.
  const isChanged = (key: string, value: unknown) =>
    CATEGORY_KEYS.has(key) ? isMoved : !isSame(value, was[key]);
  const changed = Object.entries(allFields(form, before)).filter((one) => isChanged(...one));
  return Object.fromEntries(changed);
}

/** Non-empty keys of a new challenge. */
export function newFields(form: Form): Fields {
  const fields = Object.entries(allFields(form, {}));
  return Object.fromEntries(fields.filter(([, value]) => value !== null));
}
