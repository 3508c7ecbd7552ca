/** After the shake a line says what became of the flag, until the next keystroke. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, type Reply, server, TOKEN } from "../../stand-in";

beforeEach(() => {
  writeToken(TOKEN);
  server.info.flagFormat = "GCC{...}";
  flagsAre("pier{...}");
});

/** The format of the only challenge; that of the event is another one. */
function flagsAre(flagFormat: string | null) {
  server.replies["/challenge"] = [200, { challenges: [challenge("a", { flagFormat })] }];
}

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

test("wrong, with the wrapper: no more than that, until the next keystroke", async () => {
  const { user, field, line } = await submit("pier{nope}", [200, { correct: false }]);
  await isSeenAfterTheShake(line);
  expect(line.textContent).toBe("Wrong flag.");
  expect(line.dataset.wrong).toBe("true");
  expect(field.getAttribute("aria-describedby")).toBe(line.id);
  expect(field).toHaveProperty("value", "pier{nope}");
  await user.type(field, "x");
  expect(line.textContent).toBe("");
});

test.each([
  ["pier{...}", "nope", "Wrong flag: the wrapper is missing. Flags look like pier{…}"],
  ["pier{...}", "GCC{nope}", "Wrong flag. Flags look like pier{…}"],
  ["pier{...}", "pier{nope", "Wrong flag. Flags look like pier{…}"],
  ["a city", "nope", "Wrong flag. Flags look like a city"],
  [null, "nope", "Wrong flag."],
  [null, "GCC{nope}", "Wrong flag."],
])("flags like %j, %j is sent: the format of this challenge, if it lacks it", async (...row) => {
  const [format, flag, text] = row;
  flagsAre(format);
  const { line } = await submit(flag, [200, { correct: false }]);
  expect(line.textContent).toBe(text);
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
