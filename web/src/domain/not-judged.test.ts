/** Reasons that a submission was not checked, by status and code. */
import { expect, test } from "vitest";
import description from "../../openapi.json";
import { notJudged } from "./not-judged";

const CODES: string[] = description.components.schemas.Error.properties.code.enum;

const TABLE = [
  [403, "event_ended", "ended"],
  [403, "event_not_started", "notStarted"],
  [403, "paused", "paused"],
  [403, "challenge_locked", "locked"],
  [403, "challenge_closed", "closed"],
  [404, "challenge_not_found", "gone"],
  [429, "flag_too_fast", "tooFast"],
  [503, "overloaded", "busy"],
  [503, "server_stopping", "busy"],
  // The error messages already explain what to do.
  [400, "flag_too_long", "other"],
  [500, "internal_error", "noAnswer"],
  [503, "read_only", "other"],
] as const;

test.each(TABLE)("%i %s is %s", (status, code, reason) => {
  expect(notJudged({ status, code })).toBe(reason);
  expect(CODES).toContain(code);
});

// A proxy's response, a page instead of JSON, or no response.
test.each([
  [0, "noAnswer"],
  [200, "noAnswer"],
  [502, "noAnswer"],
  [429, "busy"],
  [503, "busy"],
  [403, "other"],
])("%i without a code is %s", (status, reason) => expect(notJudged({ status })).toBe(reason));
