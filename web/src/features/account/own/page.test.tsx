/** The page of the team's own account, by role and label. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { readToken, writeToken } from "../../../api/token";
import { callsTo, challenge, open, PATIENT, server, snapshot, TOKEN } from "../../../stand-in";

const AT = Date.now() - 3_600_000;
const session = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  begunAt: AT,
  seenAt: AT + 60_000,
  network: null,
  browser: null,
  isCurrent: false,
  ...more,
});
const account = (more: Record<string, unknown> = {}) => ({
  teamName: "Ours",
  country: "IT",
  email: "ours@example.org",
  newEmail: null,
  members: ["Ada"],
  membersMax: 3,
  sessions: [
    session("1", { isCurrent: true, browser: "Firefox, Linux", network: "192.0.2.7" }),
    session("2", { browser: "Safari, iOS" }),
  ],
  ...more,
});
const region = (name: string) => screen.findByRole("region", { name }, PATIENT);
/** The bodies of the calls to a path. */
const sent = (path: string) => callsTo(path).map(({ body }) => body);

beforeEach(() => {
  writeToken(TOKEN);
  server.replies["/account"] = [200, account()];
});

test("the name in the bar leads to the page, which shows progress by category", async () => {
  const { user } = open("/rules");
  snapshot(
    [["Ours", "IT", { "0": [1, 100] }, 100]],
    [challenge("a"), challenge("b"), challenge("c", { categories: ["crypto"] })],
  );
  const bar = screen.getByRole("navigation", { name: "Main" });
  await user.click(await within(bar).findByRole("link", { name: "Ours" }, PATIENT));
  const progress = await region("Progress");
  const rows = await within(progress).findAllByRole("listitem");
  expect(rows.map((row) => row.textContent)).toEqual(["web1 of 2 solved", "crypto0 of 1 solved"]);
  expect(document.title).toBe("Your team · Harbour CTF");
});

test("the other sessions have a button that ends them", async () => {
  server.replies["/account/sessions/end"] = [200, {}];
  const { user } = open("/account");
  const sessions = await region("Where you are logged in");
  const [own, other] = within(sessions).getAllByRole("listitem");
  expect(own?.textContent).toMatch(/Firefox, Linux \(this one\).*192\.0\.2\.7/);
  expect(within(sessions).getAllByRole("button")).toHaveLength(1);
  server.replies["/account"] = [200, account({ sessions: [session("1", { isCurrent: true })] })];
  const end = { name: /^End the login with Safari, iOS of/ };
  await user.click(within(other ?? sessions).getByRole("button", end));
  await waitFor(() => expect(within(sessions).queryByRole("button")).toBeNull());
  expect(sent("/account/sessions/end")).toEqual([{ id: "2" }]);
  expect(document.activeElement?.textContent).toBe("Where you are logged in");
});

test("a password and an e-mail are sent with the present password, and said", async () => {
  const message = "A link is on its way to the new address.";
  server.replies["/account/password"] = [403, { code: "password_wrong", message: "Not this one." }];
  server.replies["/account/email"] = [200, { message }];
  const { user } = open("/account");
  const password = within(await region("Password"));
  await user.type(password.getByLabelText("Present password"), "guess");
  const fresh = password.getByLabelText("New password");
  await user.type(fresh, "short");
  await user.click(password.getByRole("button", { name: "Change the password" }));
  expect(fresh.getAttribute("aria-invalid")).toBe("true");
  expect(sent("/account/password")).toEqual([]);
  await user.type(fresh, " no more");
  await user.click(password.getByRole("button", { name: "Change the password" }));
  await screen.findByText("Not this one.");
  expect(sent("/account/password")).toEqual([{ password: "guess", newPassword: "short no more" }]);
  expect(readToken()).toBe(TOKEN);
  const next = TOKEN.replace(/.$/, "Z");
  server.replies["/account/password"] = [200, { message: "It is set.", token: next }];
  await user.click(password.getByRole("button", { name: "Change the password" }));
  await screen.findByText("It is set.");
  expect(readToken()).toBe(next);

  const email = within(await region("E-mail"));
  email.getByText("ours@example.org");
  await user.type(email.getByLabelText("New e-mail"), " new@example.org");
  await user.type(email.getByLabelText("Present password"), "salt & tar");
  server.replies["/account"] = [200, account({ newEmail: "new@example.org" })];
  await user.click(email.getByRole("button", { name: "Send a link to the new e-mail" }));
  await screen.findByText(message);
  await email.findByText(/^A link was sent to new@example\.org/);
  expect(sent("/account/email")).toEqual([{ email: "new@example.org", password: "salt & tar" }]);
  expect(email.getByLabelText<HTMLInputElement>("Present password").value).toBe("");
});

test("people are as many as the event takes, and their names are sent in order", async () => {
  server.replies["/account/members"] = [200, {}];
  server.replies["/account/country"] = [200, {}];
  const { user, unmount } = open("/account");
  const people = within(await region("People of the team"));
  expect(people.getAllByRole("textbox")).toHaveLength(3);
  expect(people.getByLabelText<HTMLInputElement>("Name 1").value).toBe("Ada");
  await user.type(people.getByLabelText("Name 3"), "Bo");
  await user.click(people.getByRole("button", { name: "Save the names" }));
  await screen.findByText("It is saved.");
  expect(sent("/account/members")).toEqual([{ members: ["Ada", "Bo"] }]);

  const country = within(await region("Country"));
  const box = country.getByRole<HTMLInputElement>("combobox", { name: "Country" });
  expect(box.value).toBe("Italy");
  await user.clear(box);
  await user.type(box, "fran{Enter}");
  await user.click(country.getByRole("button", { name: "Save the country" }));
  await waitFor(() => expect(sent("/account/country")).toEqual([{ country: "FR" }]));

  unmount();
  server.replies["/account"] = [200, account({ members: [], membersMax: 0 })];
  open("/account");
  await region("Country");
  expect(screen.queryByRole("region", { name: "People of the team" })).toBeNull();
});
