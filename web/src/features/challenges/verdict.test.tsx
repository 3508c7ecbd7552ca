/** After the shake a line shows the result of the flag, until the next keystroke. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, type Reply, server, TOKEN } from "../../fake-server";

beforeEach(() => {
  writeToken(TOKEN);
  server.info.flagFormat = "GCC{...}";
  setFlagFormat("pier{...}");
});

/** Format of the only challenge, different from the event's. */
function setFlagFormat(flagFormat: string | null) {
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

/** Checks that the line is only announced while the card shakes, then visible. */
async function expectVisibleAfterShake(line: HTMLElement) {
  const form = line.closest("form");
  expect(form?.dataset.wrong).toBe("true");
  expect(line.className).toBe("visually-hidden");
  await waitFor(() => expect(form?.dataset.wrong).toBe("false"), PATIENT);
  expect(line.className).not.toContain("visually-hidden");
}

test("incorrect with the wrapper: no further advice, until the next keystroke", async () => {
  const { user, field, line } = await submit("pier{nope}", [200, { correct: false }]);
  await expectVisibleAfterShake(line);
  expect(line.textContent).toBe("Incorrect flag.");
  expect(line.dataset.wrong).toBe("true");
  expect(field.getAttribute("aria-describedby")).toBe(line.id);
  expect(field).toHaveProperty("value", "pier{nope}");
  await user.type(field, "x");
  expect(line.textContent).toBe("");
});

test.each([
  ["pier{...}", "nope", "Incorrect flag: the wrapper is missing. Flags look like pier{…}"],
  ["pier{...}", "GCC{nope}", "Incorrect flag. Flags look like pier{…}"],
  ["pier{...}", "pier{nope", "Incorrect flag. Flags look like pier{…}"],
  ["a city", "nope", "Incorrect flag. Flags look like a city"],
  [null, "nope", "Incorrect flag."],
  [null, "GCC{nope}", "Incorrect flag."],
])("flags like %j, %j is sent: the format of this challenge, if it lacks it", async (...row) => {
  const [format, flag, text] = row;
  setFlagFormat(format);
  const { line } = await submit(flag, [200, { correct: false }]);
  expect(line.textContent).toBe(text);
});

const NOT_JUDGED: [what: string, reply: Reply, line: RegExp][] = [
  [
    "the end",
    [403, { code: "event_ended", message: "Over." }],
    /^The CTF has ended, .* scoreboard/,
  ],
  ["a lock", [403, { code: "challenge_locked", message: "No." }], /^This challenge is locked, /],
  [
    "overload",
    [503, { code: "overloaded", message: "Busy." }],
    /^The server is busy, .* again in a/,
  ],
  ["a proxy's page", [502, "<html>"], /^No response from the server\. .* submit it again/],
  [
    "another refusal",
    [400, { code: "flag_too_long", message: "Too long." }],
    /^Too long\. This fl/,
  ],
];

test.each(NOT_JUDGED)(
  "not checked because of %s: shows the reason, and keeps the flag",
  async (_, reply, line) => {
    const shown = await submit("pier{yes}", reply);
    await expectVisibleAfterShake(shown.line);
    expect(shown.line.textContent).toMatch(line);
    expect(shown.line.textContent).toMatch(/stays here|still count/);
    expect(shown.line.dataset.wrong).toBe("false");
    expect(shown.field).toHaveProperty("value", "pier{yes}");
  },
);

test("a lost connection is reported, and the next response replaces the report", async () => {
  const { user, field, line } = await submit("pier{yes}", [200, { correct: false }]);
  const answer = globalThis.fetch;
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("cut")));
  await user.type(field, "{enter}");
  await waitFor(() => expect(line.textContent).toMatch(/^No response from the server/), PATIENT);
  vi.stubGlobal("fetch", answer);
  await user.type(field, "{enter}");
  await waitFor(() => expect(line.textContent).toMatch(/^Incorrect flag/), PATIENT);
});
