/** Reason that a submission was not checked, from the status and code of its error. */

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

/** For "other", the error message explains the reason. */
export type NotJudged = (typeof REASONS)[keyof typeof REASONS] | "other";

const BY_CODE = new Map<string | undefined, NotJudged>(Object.entries(REASONS));

/**
 * Reason for an error. `status` is 0 without a response. The server always sends a code; a proxy
 * does not.
 */
export function notJudged(error: { status: number; code?: string | undefined }): NotJudged {
  const { status, code } = error;
  const known = BY_CODE.get(code);
  if (known) return known;
  if (code !== undefined) return "other";
  // Without a code, the response is from a proxy, which counts requests instead of incorrect flags.
  if (status === 429 || status === 503) return "busy";
  return status >= 400 && status < 500 ? "other" : "noAnswer";
}
