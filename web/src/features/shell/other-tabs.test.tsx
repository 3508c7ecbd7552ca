/** A login or logout in another tab applies to this one. */
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, server, TOKEN } from "../../fake-server";

/** Simulates another tab, which changes the cookie and notifies. */
let other: BroadcastChannel;
function elsewhere(token: string, age = 3600) {
  // biome-ignore lint/suspicious/noDocumentCookie: the other tab does the same.
  document.cookie = `apitoken=${token}; Max-Age=${age}; Path=/; SameSite=Strict; Secure`;
  other.postMessage(token);
}

beforeEach(() => {
  other = new BroadcastChannel("apitoken");
  server.replies["/challenge"] = [200, { challenges: [challenge("a")] }];
  server.replies["/logout"] = [200, {}];
});
afterEach(() => other.close());

const link = (name: string) => screen.findByRole("link", { name }, PATIENT);

test("a logout elsewhere removes the team and its challenges from the page", async () => {
  writeToken(TOKEN);
  open("/challenge");
  await screen.findByRole("article", { name: "Challenge a" }, PATIENT);
  elsewhere("", 0);
  await link("Signup");
  await waitFor(() => expect(window.location.pathname).toBe("/login"), PATIENT);
  expect(screen.queryByRole("article")).toBeNull();
  expect(
    await screen.findByText(/^Your session has ended, possibly in another tab\./),
  ).toBeTruthy();
});

test("a login elsewhere applies here, and a logout here is broadcast", async () => {
  const { user } = open("/rules");
  await link("Signup");
  elsewhere(TOKEN);
  const logout = await link("Logout");
  const heard = new Promise((resolve) => other.addEventListener("message", resolve));
  await user.click(logout);
  await heard;
  expect(document.cookie).toBe("");
  await screen.findByRole("heading", { name: "Login" }, PATIENT);
  expect(screen.queryByText(/^Your session has ended/)).toBeNull();
});
