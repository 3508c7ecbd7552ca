/** Orders: an action with its fixed arguments, and the fields of its dialog. */
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
  /** Arguments that the dialog does not ask for. */
  readonly fixed: Partial<Fields<Name>>;
  /** Name of the affected object; the event if not set. */
  readonly object?: string | undefined;
  /** Initial field values. */
  readonly initial?: Values;
  /** Quoted text of a team, such as a question. */
  readonly quote?: string;
  /** Changes, one line each. */
  readonly lines?: readonly string[];
  /** Called when the action is done and its draft is no longer needed. */
  readonly onDone?: () => void;
  /** Action that is offered when this one is done, with the reason for it. */
  readonly followUp?: { readonly order: ActionOrder; readonly reason: string } | undefined;
  /** Base text of an action that replaces data which others can change. */
  readonly basedOn?: BaseText | undefined;
}

export type ActionOrder = { [Name in ActionName]: OrderOf<Name> }[ActionName];

/** Undo of an action, without the other members. */
type Undo = {
  readonly action: "undo";
  readonly id: number;
  readonly sentence: string;
} & { readonly [Part in Exclude<keyof ActionOrder, "action">]?: undefined };

/** An action to perform, or one to undo. */
export type Order = ActionOrder | Undo;

/** Text that an order was based on. */
export interface BaseText {
  readonly version: string;
  readonly read: () => Promise<string>;
  /** Warning about concurrent edits. */
  readonly warning: string | null;
}

/** Field values: strings, and `true` for checked boxes. */
export type Values = Readonly<Record<string, string | true>>;

type FieldKind =
  | ("text" | "divisions" | "long" | "email" | "number" | "time" | "second" | "tick" | "country")
  | ("status" | "evidence" | "answer" | "challenge" | "minutes");
type Asked<All> = { readonly [Field in keyof All]?: FieldKind };

/** Arguments that dialogs ask for, in field order. */
const ASKED: { readonly [Name in ActionName]?: Asked<Fields<Name>> } = {
  "challenge.attempts": { team: "text" },
  "challenge.close": { at: "time" },
  "challenge.release": { at: "time" },
  "challenge.status": { status: "status", note: "text" },
  "evidence.state": { state: "evidence" },
  "code.make": { count: "number", uses: "number", label: "text" },
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
  // The time includes seconds, because the first blood may depend on them.
  "solve.count": { challenge: "challenge", at: "second" },
  "solve.withdraw": { team: "text" },
  "team.test": { team: "text" },
  "team.address": { email: "email" },
  "team.award": { points: "number" },
  "team.country": { country: "country" },
  "team.divisions": { divisions: "divisions" },
  "team.message": { text: "answer" },
  "team.note": { text: "long" },
  "team.rename": { name: "text", offensive: "tick" },
};

export interface FieldOf {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
}

/** Fields of the dialog, without fixed arguments. */
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

/** Rules of an action. An undo needs a reason, may change ranks, and can be announced. */
export function rulesOf({ action }: Order): typeof UNDO_RULES {
  return action === "undo" ? UNDO_RULES : ACTIONS[action];
}

/** Value of a `TimeField`, in UTC. */
export function timeValue(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? "" : new Date(ms).toISOString();
}

/**
 * Dependent changes of a field. A challenge's note belongs to its status: a new status clears an
 * unedited note, and switching back restores it.
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
  if (kind === "divisions")
    return String(value ?? "")
      .split(/\s+/)
      .filter(Boolean);
  if (value === true || value === undefined || value === "") return value || undefined;
  return kind === "number" ? Number(value) : value;
}

/** End of an urgent notice, in minutes after it is posted. */
function endOf(fields: readonly FieldOf[], values: Values, now: number): Arguments {
  if (!fields.some(({ kind }) => kind === "minutes")) return {};
  const { until = "", urgent, at } = values;
  const minutes = Number(until);
  if (urgent !== true || !(minutes > 0)) return { until: undefined };
  const posted = typeof at === "string" && at !== "" ? Date.parse(at) : now;
  return { until: new Date(posted + minutes * 60_000).toISOString() };
}

/** Arguments of an action sent at `now`; unchanged times are omitted. */
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

/** True if the order would leave the event's times, or the divisions of a team, unchanged. */
export function changesNothing(order: Order, values: Values): boolean {
  if (order.action === "team.divisions") return values.divisions === order.initial?.divisions;
  if (order.action !== "event.times") return false;
  return Object.values(argumentsOf(order, values)).every((value) => value === undefined);
}

/** Required fields that are empty, and number fields that are not numbers. */
export function missing(order: Order, values: Values): readonly string[] {
  return fieldsOf(order)
    .filter(({ name, kind, required }) => {
      const value = values[name] ?? "";
      if (kind === "number") return !/^-?\d+$/.test(String(value).trim());
      return required && kind !== "divisions" && value !== true && value.trim() === "";
    })
    .map(({ name }) => name);
}

/** Object that others see as being viewed while the dialog is open. */
export function lookOf(order: Order): string | undefined {
  const { team, challenge, question, notice }: Arguments = order.fixed ?? {};
  if (question !== undefined) return `question ${question}`;
  if (notice !== undefined) return `notice ${notice}`;
  if (team !== undefined) return `team ${team}`;
  return challenge === undefined ? undefined : `challenge ${challenge}`;
}

const DRAFT = "organize draft ";

/** Arguments that carry content instead of identifying the object. */
const WRITTEN = new Set(["fields", "values", "text", "answers", "place", "position"]);

/** Storage key of an order's draft, without the content of edits. */
export function draftKey(order: Order): string {
  if (order.action === "undo") return DRAFT + JSON.stringify(order.id);
  const objects = Object.entries(order.fixed)
    .filter(([name]) => !WRITTEN.has(name))
    // The order in which several objects were chosen does not matter.
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]);
  return DRAFT + JSON.stringify([order.action, Object.fromEntries(objects)]);
}

/** Sends an order, once for all requests with the same idempotency key. */
export function send(order: Order, args: Arguments, terms: Terms, key?: string): Promise<Acted> {
  return order.action === "undo"
    ? postUndo(order.id, terms, key)
    : postAction(order.action, args, terms, key);
}

/**
 * Previews an order. The preview is valid only if the base text is still the same after the server
 * reported its latest action. The server rejects changes made after that action.
 */
export async function previewOf(order: Order, values: Values): Promise<Acted> {
  const acted = await send(order, argumentsOf(order, values), { preview: true });
  const made = order.basedOn;
  if (made && (await made.read()) !== made.version) {
    throw new ApiError({ code: "object_touched", message: "Somebody else changed this." }, 409);
  }
  return acted;
}

/** Returns the new version of the open order if it is the same order, else the open one. */
export function renewed(open: Order | null, order: Order): Order | null {
  if (!open || draftKey(open) !== draftKey(order)) return open;
  const said = ({ initial, fixed, basedOn }: Order) =>
    JSON.stringify([initial, fixed, basedOn?.version, basedOn?.warning]);
  return said(open) === said(order) ? open : order;
}
