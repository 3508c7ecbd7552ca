/** An action on its objects, with the fields that its sheet asks for. */
import { ACTIONS, type ActionName, type Fields } from "../../../api/actions";
import { ApiError } from "../../../api/client";
import {
  type Acted,
  type Arguments,
  postAction,
  postUndo,
  type Terms,
} from "../../../api/organize-lists";

interface OrderOf<Name extends ActionName> {
  readonly action: Name;
  /** The objects, which the sheet does not ask for. */
  readonly fixed: Partial<Fields<Name>>;
  /** The name of what it is about; without one, the event. */
  readonly object?: string | undefined;
  /** What the fields begin with. */
  readonly initial?: Values;
  /** The text of a team that it is about. */
  readonly quote?: string;
  /** What it changes, a line each. */
  readonly lines?: readonly string[];
  /** The action is done: what it was made of is not needed any more. */
  readonly onDone?: () => void;
  /** What its objects were made of, for an action that replaces what others may change. */
  readonly madeOf?: MadeOf | undefined;
}

export type ActionOrder = { [Name in ActionName]: OrderOf<Name> }[ActionName];

/** The undo of an action, which has none of the other parts. */
type Undo = {
  readonly action: "undo";
  readonly id: number;
  readonly sentence: string;
} & { readonly [Part in Exclude<keyof ActionOrder, "action">]?: undefined };

/** An action that is not done yet, or the action that is to be undone. */
export type Order = ActionOrder | Undo;

/** A text that an order was made of. */
export interface MadeOf {
  readonly version: string;
  readonly read: () => Promise<string>;
  /** What somebody else has changed in it too, in a sentence. */
  readonly warning: string | null;
}

/** What was typed: texts, and `true` for what was ticked. */
export type Values = Readonly<Record<string, string | true>>;

type FieldKind =
  | ("text" | "long" | "email" | "number" | "time" | "second" | "tick" | "country")
  | ("status" | "evidence" | "answer" | "challenge" | "minutes");
type Asked<All> = { readonly [Field in keyof All]?: FieldKind };

/** The arguments that sheets ask for, in the order of their fields. */
const ASKED: { readonly [Name in ActionName]?: Asked<Fields<Name>> } = {
  "challenge.close": { at: "time" },
  "challenge.release": { at: "time" },
  "challenge.status": { status: "status", note: "text" },
  "evidence.state": { state: "evidence" },
  "event.times": { start: "time", freeze: "time", end: "time" },
  "event.resume": { moves: "tick" },
  "event.reveal": { name: "text" },
  "notice.post": {
    title: "text",
    text: "long",
    challenge: "text",
    urgent: "tick",
    until: "minutes",
    at: "time",
  },
  "notice.correct": { title: "text", text: "long" },
  "question.answer": { text: "answer", toAll: "tick" },
  // Who was first may depend on the second.
  "solve.count": { challenge: "challenge", at: "second" },
  "solve.withdraw": { team: "text" },
  "team.test": { team: "text" },
  "team.address": { email: "email" },
  "team.award": { points: "number" },
  "team.country": { country: "country" },
  "team.message": { text: "answer" },
  "team.note": { text: "long" },
  "team.rename": { name: "text", offensive: "tick" },
};

export interface FieldOf {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
}

/** Those that the sheet asks for: not what is fixed already. */
export function fieldsOf(order: Order): readonly FieldOf[] {
  if (order.action === "undo") return [];
  const { action, fixed } = order;
  const optional: readonly string[] = ACTIONS[action].optional;
  const asked: Readonly<Record<string, FieldKind>> = ASKED[action] ?? {};
  return Object.entries(asked)
    .filter(([name]) => !Object.hasOwn(fixed, name))
    .map(([name, kind]) => ({ name, kind, required: !optional.includes(name) }));
}

const UNDO_RULES = { needsReason: true, movesTeams: true, canBeAnnounced: true };

/** The server's rules of an action. An undo needs a reason, may move teams and may be announced. */
export function rulesOf({ action }: Order): typeof UNDO_RULES {
  return action === "undo" ? UNDO_RULES : ACTIONS[action];
}

/** The value of a `TimeField` for a time, in UTC. */
export function timeValue(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? "" : new Date(ms).toISOString();
}

/**
 * What else changes with a field: the note of a challenge is about its status, so that a new status
 * clears a note that was not typed for it, and the former status has its note again.
 */
export function alongWith(
  order: Order,
  values: Values,
  name: string,
  value: string | true,
): Values {
  if (order.action !== "challenge.status" || name !== "status") return {};
  const { status, note = "" } = order.initial ?? {};
  if (value === status) return (values.note ?? "") === "" ? { note } : {};
  return values.note === note ? { note: "" } : {};
}

function argumentOf({ kind }: FieldOf, value: string | true | undefined) {
  if (value === true || value === undefined || value === "") return value || undefined;
  return kind === "number" ? Number(value) : value;
}

/** The time until which a notice is urgent: minutes from when it is posted. */
function endOf(fields: readonly FieldOf[], values: Values, now: number): Arguments {
  if (!fields.some(({ kind }) => kind === "minutes")) return {};
  const { until = "", urgent, at } = values;
  const minutes = Number(until);
  if (urgent !== true || !(minutes > 0)) return { until: undefined };
  const posted = typeof at === "string" && at !== "" ? Date.parse(at) : now;
  return { until: new Date(posted + minutes * 60_000).toISOString() };
}

/** The arguments of an action sent at `now`; a time that was left as it was is not sent. */
export function argumentsOf(order: Order, values: Values, now = Date.now()): Arguments {
  const initial = order.initial ?? {};
  const stays = ({ name, kind }: FieldOf) => kind === "time" && values[name] === initial[name];
  const given = fieldsOf(order)
    .filter((field) => !stays(field))
    .map((field) => [field.name, argumentOf(field, values[field.name])])
    .filter(([, value]) => value !== undefined);
  const all = Object.fromEntries(given);
  return { ...order.fixed, ...all, ...endOf(fieldsOf(order), values, now) };
}

/** True if the order would change nothing: the times are those of the event. */
export function changesNothing(order: Order, values: Values): boolean {
  if (order.action !== "event.times") return false;
  return Object.values(argumentsOf(order, values)).every((value) => value === undefined);
}

/** The fields that miss something: empty ones, and numbers that are none. */
export function missing(order: Order, values: Values): readonly string[] {
  return fieldsOf(order)
    .filter(({ name, kind, required }) => {
      const value = values[name] ?? "";
      if (kind === "number") return !/^-?\d+$/.test(String(value).trim());
      return required && value !== true && value.trim() === "";
    })
    .map(({ name }) => name);
}

/** What the others are told that is looked at while the sheet is open. */
export function lookOf(order: Order): string | undefined {
  const { team, challenge, question, notice }: Arguments = order.fixed ?? {};
  if (question !== undefined) return `question ${question}`;
  if (notice !== undefined) return `notice ${notice}`;
  if (team !== undefined) return `team ${team}`;
  return challenge === undefined ? undefined : `challenge ${challenge}`;
}

const DRAFT = "organize draft ";

/** What an edit writes, and does not name. */
const WRITTEN = new Set(["fields", "values", "text", "answers", "place", "position"]);

/** What names an order, for its draft in the tab's storage: not what an edit writes. */
export function draftKey(order: Order): string {
  if (order.action === "undo") return DRAFT + JSON.stringify(order.id);
  const objects = Object.entries(order.fixed).filter(([name]) => !WRITTEN.has(name));
  return DRAFT + JSON.stringify([order.action, Object.fromEntries(objects)]);
}

/** Sends an order, once for all requests with the same key. */
export function send(order: Order, args: Arguments, terms: Terms, key?: string): Promise<Acted> {
  return order.action === "undo"
    ? postUndo(order.id, terms, key)
    : postAction(order.action, args, terms, key);
}

/**
 * What an order would do. It counts only if what the order was made of is still the same after the
 * server has said up to which action it looked: a change that comes later is refused by that.
 */
export async function previewOf(order: Order, values: Values): Promise<Acted> {
  const acted = await send(order, argumentsOf(order, values), { preview: true });
  const made = order.madeOf;
  if (made && (await made.read()) !== made.version) {
    throw new ApiError({ code: "object_touched", message: "Somebody else changed this." }, 409);
  }
  return acted;
}

/** The open order, or the same one as it is made now. */
export function renewed(open: Order | null, order: Order): Order | null {
  if (!open || draftKey(open) !== draftKey(order)) return open;
  const said = ({ initial, fixed, madeOf }: Order) =>
    JSON.stringify([initial, fixed, madeOf?.version, madeOf?.warning]);
  return said(open) === said(order) ? open : order;
}
