/** The team's account page, by role and label. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { readToken, writeToken } from "../../../api/token";
import { callsTo, challenge, open, PATIENT, server, snapshot, TOKEN } from "../../../fake-server";

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

test("the page shows the progress by category", async () => {
  open("/account");
  snapshot(
    [["Ours", "IT", { "0": [1, 100] }, 100]],
    [challenge("a"), challenge("b"), challenge("c", { categories: ["crypto"] })],
  );
  const progress = await region("Progress");
  const rows = await within(progress).findAllByRole("listitem");
  expect(rows.map((row) => row.textContent)).toEqual(["web1 of 2 solved", "crypto0 of 1 solved"]);
  expect(document.title).toBe("Your team · Harbour CTF");
});

test("the other sessions have a button that ends them", async () => {
  server.replies["/account/sessions/end"] = [200, {}];
  const { user } = open("/account");
  const sessions = await region("Active sessions");
  const [own, other] = within(sessions).getAllByRole("listitem");
  expect(own?.textContent).toMatch(/Firefox, Linux \(this session\).*192\.0\.2\.7/);
  expect(within(sessions).getAllByRole("button")).toHaveLength(1);
  server.replies["/account"] = [200, account({ sessions: [session("1", { isCurrent: true })] })];
  const end = { name: /^Log out Safari, iOS, logged in/ };
  await user.click(within(other ?? sessions).getByRole("button", end));
  await waitFor(() => expect(within(sessions).queryByRole("button")).toBeNull());
  expect(sent("/account/sessions/end")).toEqual([{ id: "2" }]);
  expect(document.activeElement?.textContent).toBe("Active sessions");
});

test("changes of password and email send the current password and are confirmed", async () => {
  const message = "We sent a confirmation link to the new address.";
  server.replies["/account/password"] = [403, { code: "password_wrong", message: "Not this one." }];
  server.replies["/account/email"] = [200, { message }];
  const { user } = open("/account");
  const password = within(await region("Password"));
  await user.type(password.getByLabelText("Current password"), "guess");
  const fresh = password.getByLabelText("New password");
  await user.type(fresh, "short");
  await user.click(password.getByRole("button", { name: "Change password" }));
  expect(fresh.getAttribute("aria-invalid")).toBe("true");
  expect(sent("/account/password")).toEqual([]);
  await user.type(fresh, " no more");
  await user.click(password.getByRole("button", { name: "Change password" }));
  await screen.findByText("Not this one.");
  expect(sent("/account/password")).toEqual([{ password: "guess", newPassword: "short no more" }]);
  expect(readToken()).toBe(TOKEN);
  const next = TOKEN.replace(/.$/, "Z");
  server.replies["/account/password"] = [200, { message: "It is set.", token: next }];
  await user.click(password.getByRole("button", { name: "Change password" }));
  await screen.findByText("It is set.");
  expect(readToken()).toBe(next);

  const email = within(await region("Email"));
  email.getByText("ours@example.org");
  await user.type(email.getByLabelText("New email"), " new@example.org");
  await user.type(email.getByLabelText("Current password"), "salt & tar");
  server.replies["/account"] = [200, account({ newEmail: "new@example.org" })];
  await user.click(email.getByRole("button", { name: "Send confirmation link" }));
  await screen.findByText(message);
  await email.findByText(/^We sent a confirmation link to new@example\.org/);
  expect(sent("/account/email")).toEqual([{ email: "new@example.org", password: "salt & tar" }]);
  expect(email.getByLabelText<HTMLInputElement>("Current password").value).toBe("");
});

test("there are as many members as the event allows, and names are sent in order", async () => {
  server.replies["/account/members"] = [200, {}];
  server.replies["/account/country"] = [200, {}];
  const { user, unmount } = open("/account");
  const people = within(await region("Team members"));
  expect(people.getAllByRole("textbox")).toHaveLength(3);
  expect(people.getByLabelText<HTMLInputElement>("Member 1").value).toBe("Ada");
  await user.type(people.getByLabelText("Member 3"), "Bo");
  await user.click(people.getByRole("button", { name: "Save members" }));
  await screen.findByText("Saved.");
  expect(sent("/account/members")).toEqual([{ members: ["Ada", "Bo"] }]);

  const country = within(await region("Country"));
  const box = country.getByRole<HTMLInputElement>("combobox", { name: "Country" });
  expect(box.value).toBe("Italy");
  await user.clear(box);
  await user.type(box, "fran{Enter}");
  await user.click(country.getByRole("button", { name: "Save country" }));
  await waitFor(() => expect(sent("/account/country")).toEqual([{ country: "FR" }]));

  unmount();
  server.replies["/account"] = [200, account({ members: [], membersMax: 0 })];
  open("/account");
  await region("Country");
  expect(screen.queryByRole("region", { name: "Team members" })).toBeNull();
});

test("the divisions are changed until the start", async () => {
  server.times.startTime = Date.now() + 3_600_000;
  server.info.divisions = [
    { id: "school", name: "School", group: "Kind", join: "code" },
    { id: "pros", name: "Pros", group: "Kind", join: "open" },
    { id: "prize", name: "Prize", group: "Prize", join: "organizers" },
  ];
  server.replies["/account"] = [200, account({ divisions: ["school"] })];
  server.replies["/account/divisions"] = [200, {}];
  const { user } = open("/account");
  const divisions = await region("Divisions");
  const kind = await within(divisions).findByRole("combobox", { hidden: true });
  expect(within(divisions).queryByRole("textbox", { hidden: true })).toBeNull();
  await user.selectOptions(kind, "Pros");
  const save = { name: "Save divisions", hidden: true };
  await user.click(within(divisions).getByRole("button", save));
  await waitFor(() =>
    expect(sent("/account/divisions")).toEqual([{ divisions: ["pros"], divisionCode: {} }]),
  );
});
