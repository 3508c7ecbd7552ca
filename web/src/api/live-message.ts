/** Messages of the live channel, whose types are generated. */
import type { components } from "./schema";

export type LiveMessage = components["schemas"]["LiveMessage"];

const EVENTS: Readonly<Record<LiveMessage["event"], true>> = {
  scoreboard: true,
  solve: true,
  newteam: true,
  notice: true,
  status: true,
  changed: true,
  answer: true,
  error: true,
};

/** Null for a text that is not JSON, and for an unknown event, which is ignored. */
export function parseLive(text: string): LiveMessage | null {
  try {
    const message: LiveMessage | null = JSON.parse(text);
    return message && Object.hasOwn(EVENTS, message.event) ? message : null;
  } catch {
    return null;
  }
}
