/**
 * The open ceremony, which survives a reload of its tab: its options and the step, but nothing of
 * the sealed ranking.
 */
import { isRecord } from "../../../api/unknown";
import { isScope, type Scope } from "./script";

export interface Options {
  readonly mode: "rehearsal" | "real";
  readonly scope: Scope;
  readonly from: number;
  readonly showsPoints: boolean;
  readonly showsSolves: boolean;
  /** Seed of the rehearsal. */
  readonly seed: number;
  /** The event's name, typed to confirm the real one; empty for a rehearsal. */
  readonly name: string;
}

export interface Saved {
  readonly options: Options;
  readonly step: number;
}

const KEY = "ceremony";

function optionsOf(value: unknown): Options | null {
  if (!isRecord(value)) return null;
  const { mode, scope, from, showsPoints, showsSolves, seed, name } = value;
  if (mode !== "rehearsal" && mode !== "real") return null;
  if (!isScope(scope)) return null;
  if (typeof from !== "number" || typeof seed !== "number" || typeof name !== "string") return null;
  return {
    mode,
    scope,
    from,
    seed,
    name,
    showsPoints: showsPoints !== false,
    showsSolves: showsSolves !== false,
  };
}

export function readSaved(): Saved | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    const options = isRecord(value) ? optionsOf(value.options) : null;
    const step = isRecord(value) && typeof value.step === "number" ? value.step : 0;
    return options && { options, step };
  } catch {
    return null;
  }
}

/** Without storage, a reload starts again at the first page. */
export function save(saved: Saved | null): void {
  try {
    if (saved) sessionStorage.setItem(KEY, JSON.stringify(saved));
    else sessionStorage.removeItem(KEY);
  } catch {
    // The ceremony continues without saved state.
  }
}
