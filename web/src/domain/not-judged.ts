/** Why a submission was not judged, from the status and the code of its error. */

const REASONS = {
  event_ended: "ended",
  event_not_started: "notStarted",
  paused: "paused",
  challenge_locked: "locked",
  challenge_closed: "closed",
  challenge_not_found: "gone",
  flag_too_fast: "tooFast",
  overloaded: "busy",
  server_stopping: "busy",
  internal_error: "noAnswer",
} as const;

/** With "other" the error's own sentence says it. */
export type NotJudged = (typeof REASONS)[keyof typeof REASONS] | "other";

const BY_CODE = new Map<string | undefined, NotJudged>(Object.entries(REASONS));

/** `status` is 0 without a response. A server of ours always sends a code, a proxy sends none. */
export function notJudged(error: { status: number; code?: string | undefined }): NotJudged {
  const { status, code } = error;
  const known = BY_CODE.get(code);
  if (known) return known;
  if (code !== undefined) return "other";
  // A proxy's: it counts requests, not wrong flags.
  if (status === 429 || status === 503) return "busy";
  return status >= 400 && status < 500 ? "other" : "noAnswer";
}
