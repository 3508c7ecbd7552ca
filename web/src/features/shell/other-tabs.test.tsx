/** A login or logout in another tab of the site shows in this one. */
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, server, TOKEN } from "../../stand-in";

/** The other tab: it changes the cookie and says so. */
let other: BroadcastChannel;
function elsewhere(token: string, age = 3600) {
  // biome-ignore lint/suspicious/noDocumentCookie: it is what the other tab does.
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

test("a logout elsewhere takes the team and its challenges off the page", async () => {
  writeToken(TOKEN);
  open("/challenge");
  await screen.findByRole("article", { name: "Challenge a" }, PATIENT);
  elsewhere("", 0);
  await link("Signup");
  await waitFor(() => expect(window.location.pathname).toBe("/login"), PATIENT);
  expect(screen.queryByRole("article")).toBeNull();
  expect(await screen.findByText(/^Your session has ended, perhaps in another tab\./)).toBeTruthy();
});

test("a login elsewhere is one here, and the logout here is told", async () => {
  const { user } = open("/rules");
  await link("Signup");
  elsewhere(TOKEN);
  const logout = await link("Logout");
  const heard = new Promise((resolve) => other.addEventListener("message", resolve));
  await user.click(logout);
  await heard;
  expect(document.cookie).toBe("");
});
