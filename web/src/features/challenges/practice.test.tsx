/** Practice after the end: the form stays, and a correct flag is marked as not counting. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, server, TOKEN } from "../../fake-server";

const HOUR_MS = 3_600_000;

beforeEach(() => {
  writeToken(TOKEN);
  const now = Date.now();
  Object.assign(server.times, { startTime: now - 2 * HOUR_MS, endTime: now - HOUR_MS });
  server.info = { ...server.info, status: "ended", revealed: true, practice: true };
});

function list(...challenges: unknown[]) {
  server.replies["/challenge"] = [200, { challenges }];
}

const form = () => screen.findByPlaceholderText("flag", {}, PATIENT);

test("a correct flag after the end is marked, without a celebration", async () => {
  list(challenge("a"), challenge("b", { locked: true, requirements: ["a"] }));
  server.replies["/solve"] = () => {
    list(challenge("a", { practicedAt: Date.now() }), challenge("b", { requirements: ["a"] }));
    return [200, { correct: true, practice: true }];
  };
  const { user } = open("/challenge?open=a");
  const field = await form();
  expect(
    screen.getByText("The CTF has ended. You can practice: flags no longer count."),
  ).toBeTruthy();
  await user.type(field, "right{enter}");
  const card = within(screen.getAllByRole("article")[0] ?? document.body);
  expect(await card.findByText(/^Solved after the end, at/, {}, PATIENT)).toBeTruthy();
  expect(card.getByRole("button", { name: /After the end/ })).toBeTruthy();
  expect(screen.queryByPlaceholderText("flag")).toBeNull();
  expect(screen.queryByText("a solved.")).toBeNull();
  // The list is refetched, because the solve can unlock others.
  await waitFor(() => expect(screen.queryByText("Locked")).toBeNull(), PATIENT);
});

test("an earlier practice solve is on the card", async () => {
  list(challenge("a", { practicedAt: Date.now() - 60_000 }));
  open("/challenge?open=a");
  expect(await screen.findByText(/^Solved after the end, at/, {}, PATIENT)).toBeTruthy();
  expect(screen.queryByPlaceholderText("flag")).toBeNull();
});

test("an incorrect flag after the end is answered as before", async () => {
  list(challenge("a", { attemptsLeft: 0 }));
  server.replies["/solve"] = [200, { correct: false, practice: true }];
  const { user } = open("/challenge?open=a");
  await user.type(await form(), "wrong{enter}");
  expect(await screen.findByText(/^Incorrect flag/, {}, PATIENT)).toBeTruthy();
});

test.each([
  ["without practice", { practice: false }],
  ["before the reveal", { revealed: false }],
])("there is no form after the end %s", async (_, info) => {
  Object.assign(server.info, info);
  list(challenge("a"));
  open("/challenge?open=a");
  await screen.findByText("The CTF has ended. Flags are no longer accepted.", {}, PATIENT);
  expect(screen.queryByPlaceholderText("flag")).toBeNull();
});
