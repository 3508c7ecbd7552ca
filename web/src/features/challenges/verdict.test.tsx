/** After the shake a line says what became of the flag, until the next keystroke. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, type Reply, server, TOKEN } from "../../stand-in";

beforeEach(() => {
  writeToken(TOKEN);
  server.info.flagFormat = "pier{...}";
  server.replies["/challenge"] = [200, { challenges: [challenge("a")] }];
});

async function submit(flag: string, reply: Reply) {
  server.replies["/solve"] = reply;
  const { user } = open("/challenge?open=a");
  const field = await screen.findByPlaceholderText("flag", {}, PATIENT);
  await user.type(field, `${flag.replaceAll("{", "{{")}{enter}`);
  const line = within(screen.getByRole("article")).getByRole("status");
  await waitFor(() => expect(line.textContent).not.toBe(""), PATIENT);
  return { user, field, line };
}

/** Only read out while the card shakes, then seen. */
async function isSeenAfterTheShake(line: HTMLElement) {
  const form = line.closest("form");
  expect(form?.dataset.wrong).toBe("true");
  expect(line.className).toBe("visually-hidden");
  await waitFor(() => expect(form?.dataset.wrong).toBe("false"), PATIENT);
  expect(line.className).not.toContain("visually-hidden");
}

test("wrong: what flags look like, until the next keystroke", async () => {
  const { user, field, line } = await submit("pier{nope}", [200, { correct: false }]);
  await isSeenAfterTheShake(line);
  expect(line.textContent).toBe("Wrong flag. Flags look like pier{…}");
  expect(line.dataset.wrong).toBe("true");
  expect(field.getAttribute("aria-describedby")).toBe(line.id);
  expect(field).toHaveProperty("value", "pier{nope}");
  await user.type(field, "x");
  expect(line.textContent).toBe("");
});

test("wrong for want of its wrapper: that", async () => {
  const { line } = await submit("nope", [200, { correct: false }]);
  expect(line.textContent).toBe("Wrong flag: the wrapper is missing. Flags look like pier{…}");
});

test("wrong in an event without a format: no more than that", async () => {
  server.info.flagFormat = null;
  const { line } = await submit("nope", [200, { correct: false }]);
  expect(line.textContent).toBe("Wrong flag.");
});

const NOT_JUDGED: [what: string, reply: Reply, line: RegExp][] = [
  [
    "the end",
    [403, { code: "event_ended", message: "Over." }],
    /^The CTF has ended: .* scoreboard/,
  ],
  [
    "a lock",
    [403, { code: "challenge_locked", message: "No." }],
    /^This challenge is locked now: /,
  ],
  [
    "overload",
    [503, { code: "overloaded", message: "Busy." }],
    /^The server is busy: .* again in a/,
  ],
  ["a proxy's page", [502, "<html>"], /^No answer came: .* send it again/],
  [
    "another refusal",
    [400, { code: "flag_too_long", message: "Too long." }],
    /^Too long\. This fl/,
  ],
];

test.each(NOT_JUDGED)(
  "not judged by %s: that, and that nothing is lost",
  async (_, reply, line) => {
    const shown = await submit("pier{yes}", reply);
    await isSeenAfterTheShake(shown.line);
    expect(shown.line.textContent).toMatch(line);
    expect(shown.line.textContent).toContain("Nothing is lost");
    expect(shown.line.dataset.wrong).toBe("false");
    expect(shown.field).toHaveProperty("value", "pier{yes}");
  },
);

test("a connection that is cut is said, and the next answer takes its place", async () => {
  const { user, field, line } = await submit("pier{yes}", [200, { correct: false }]);
  const answer = globalThis.fetch;
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("cut")));
  await user.type(field, "{enter}");
  await waitFor(() => expect(line.textContent).toMatch(/^No answer came/), PATIENT);
  vi.stubGlobal("fetch", answer);
  await user.type(field, "{enter}");
  await waitFor(() => expect(line.textContent).toMatch(/^Wrong flag/), PATIENT);
});
