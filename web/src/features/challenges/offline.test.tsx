/** Flags submitted offline wait visibly, can be canceled, and are sent on reconnect. */
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { callsTo, challenge, open, PATIENT, server, TOKEN } from "../../fake-server";

const goes = (name: "offline" | "online") => window.dispatchEvent(new Event(name));

beforeEach(() => {
  writeToken(TOKEN);
  server.replies["/challenge"] = [200, { challenges: [challenge("a"), challenge("b")] }];
  server.replies["/solve"] = [200, { correct: true }];
});
afterEach(() => goes("online"));

async function submitOffline() {
  const { user } = open("/challenge?open=a");
  const flag = await screen.findByPlaceholderText("flag", {}, PATIENT);
  goes("offline");
  await user.type(flag, "yes{enter}");
  const note = await screen.findByText(/^You're offline\. Your flag for Challenge a /, {}, PATIENT);
  expect(note.closest("[role=status]")).toBeTruthy();
  return user;
}

test("it waits on every page, and is sent once when the connection is back", async () => {
  const user = await submitOffline();
  expect(screen.getByRole("button", { name: "Submit" })).toHaveProperty("disabled", true);
  // A reopened card still waits: a second submission would repeat the flag.
  const toggle = screen.getByRole("button", { name: /^Challenge a/ });
  await user.click(toggle);
  await user.click(toggle);
  expect(screen.getByRole("button", { name: "Submit" })).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("link", { name: "Scoreboard" }));
  await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
  expect(screen.getByText(/Your flag for Challenge a/)).toBeTruthy();
  expect(callsTo("/solve")).toEqual([]);
  goes("online");
  await waitFor(() => expect(callsTo("/solve")).toHaveLength(1), PATIENT);
  expect(callsTo("/solve")[0]?.body).toEqual({ flag: "yes", challengeId: "a" });
  await waitFor(() => expect(screen.queryByText(/You're offline/)).toBeNull());
});

test("a canceled flag is never sent, and another can be submitted", async () => {
  const user = await submitOffline();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.queryByText(/You're offline/)).toBeNull();
  expect(screen.getByRole("button", { name: "Submit" })).toHaveProperty("disabled", false);
  goes("online");
  const flag = screen.getByPlaceholderText("flag");
  await user.clear(flag);
  await user.type(flag, "other{enter}");
  await waitFor(() => expect(screen.queryByPlaceholderText("flag")).toBeNull(), PATIENT);
  expect(callsTo("/solve").map(({ body }) => body)).toEqual([{ flag: "other", challengeId: "a" }]);
});
