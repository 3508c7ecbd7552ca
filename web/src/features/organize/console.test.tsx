/** API tokens, test teams, and the erasure of a team's personal data. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { callsTo, open, PATIENT, type Reply, server } from "../../fake-server";
import { acted, factorNeeded, ME, OWNERS_ACTIONS, onceThen, signedIn } from "./fake-server";

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const MINE = ["account.token", "organizer.list", "organizer.token"];
const BOB = {
  ...{ name: "Bob", roles: ["organizer"], challenges: [], isEnrolled: true, createdAt: 1 },
  ...{ sessions: 0, tokens: 0, loggedInAt: null },
};
const OF_BOB = { organizer: "Bob", id: "t9", createdAt: 1e12, expiresAt: 2e12 };

test("a new token is shown once, after a two-factor code, for the entered days", async () => {
  server.replies["/organize/me"] = [200, { ...ME, actions: MINE.slice(0, 1) }];
  server.replies["/organize/tokens"] = onceThen(factorNeeded, [200, { token: "fso_new" }]);
  server.replies["/organize/factor"] = [200, { codesLeft: 9 }];
  const { user } = open("/organize/account");
  await user.click(await find("button", "New API token"));
  const days = await screen.findByLabelText("Expires after (days)");
  await user.clear(days);
  await user.type(days, "367{Enter}");
  expect(await screen.findByText("A whole number from 1 to 366")).toBeTruthy();
  expect(callsTo("/organize/tokens")).toEqual([]);
  await user.clear(days);
  await user.type(days, "7{Enter}");
  await user.type(await screen.findByLabelText("Six-digit code", {}, PATIENT), "123456{Enter}");
  expect(await screen.findByDisplayValue("fso_new", {}, PATIENT)).toBeTruthy();
  expect(callsTo("/organize/tokens").map(({ body }) => body)).toEqual([{ days: 7 }, { days: 7 }]);
  await user.click(screen.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(screen.queryByDisplayValue("fso_new")).toBeNull());
});

test("an owner creates a token for another organizer, sees all, and revokes one", async () => {
  server.replies["/organize/me"] = [200, { ...ME, actions: MINE }];
  server.replies["/organize/organizers"] = [200, { organizers: [BOB] }];
  let tokens: readonly object[] = [];
  server.replies["/organize/organizers/tokens"] = () => [200, { tokens }];
  server.replies["/organize/organizers/token"] = (): Reply => {
    tokens = [OF_BOB];
    return [200, { token: "fso_bob" }];
  };
  server.replies["/organize/organizers/token/end"] = (): Reply => {
    tokens = [];
    return [200, {}];
  };
  const { user } = open("/organize/account");
  await user.click(await find("button", "Actions for Bob"));
  await user.click(await find("menuitem", "New API token"));
  await user.click(await find("button", "Create token"));
  expect(await screen.findByDisplayValue("fso_bob", {}, PATIENT)).toBeTruthy();
  const made = callsTo("/organize/organizers/token").at(-1);
  expect(made?.body).toEqual({ name: "Bob", days: 30 });
  await user.click(screen.getByRole("button", { name: "Done" }));
  await user.click(await find("button", /^Revoke API token of Bob, created /));
  await waitFor(() => expect(screen.queryByText("Organizers' API tokens")).toBeNull(), PATIENT);
  const ended = callsTo("/organize/organizers/token/end").map(({ body }) => body);
  expect(ended).toEqual([{ name: "Bob", id: "t9" }]);
});

test("personal data is shown first, and erased after the name is typed", async () => {
  signedIn([...OWNERS_ACTIONS, "privacy.show", "privacy.erase"]);
  const row = { table: "accounts", rows: 1, hours: null, until: null };
  const kept = [
    { ...row, what: "address", stays: false },
    { ...row, what: "name", stays: true },
    { ...row, what: "notes", rows: 0, stays: false },
  ];
  server.replies["/organize/privacy"] = [200, { team: "Otters", isOver: false, kept }];
  server.replies["/organize/privacy/erase"] = [200, { rows: 4 }];
  const { user } = open("/organize/teams?team=Otters");
  await user.click(await find("button", "Personal data…"));
  const dialog = within(await find("dialog", "Personal data of Otters"));
  expect(await dialog.findByText("permanent, never erased", {}, PATIENT)).toBeTruthy();
  expect(dialog.queryByText("notes")).toBeNull();
  const erase = dialog.getByRole("button", { name: "Erase personal data of Otters" });
  const name = dialog.getByLabelText("Type Otters to confirm");
  await user.type(name, "otters");
  await user.click(erase);
  expect(await dialog.findByText("Type the name exactly as shown.")).toBeTruthy();
  await user.clear(name);
  await user.type(name, "Otters");
  await user.click(erase);
  expect(await dialog.findByText(/Check the box to erase the data now/)).toBeTruthy();
  expect(callsTo("/organize/privacy/erase")).toEqual([]);
  await user.click(dialog.getByRole("checkbox"));
  await user.click(erase);
  expect(await screen.findByText("Erased. Rows: 4.", {}, PATIENT)).toBeTruthy();
  const sent = callsTo("/organize/privacy/erase").map(({ body }) => body);
  expect(sent).toEqual([{ team: "Otters", confirm: "Otters", beforeEnd: true }]);
});

test("without permission there is no erase button", async () => {
  signedIn();
  open("/organize/teams?team=Otters");
  await find("region", "Otters");
  expect(screen.queryByRole("button", { name: "Personal data…" })).toBeNull();
});

test("a test team is created on the Teams page from just a name", async () => {
  signedIn([...OWNERS_ACTIONS, "team.test"]);
  const { user } = open("/organize/teams");
  await user.click(await find("button", "Create test team"));
  const dialog = within(await find("dialog", "Create a test team"));
  await user.type(screen.getByLabelText("New name"), "Try-out");
  const actions = () => callsTo("/organize/actions").flatMap(({ body }) => (body ? [body] : []));
  await waitFor(
    () =>
      expect(actions().at(-1)).toMatchObject({
        action: "team.test",
        team: "Try-out",
        preview: true,
      }),
    PATIENT,
  );
  // The code stays visible until it is closed.
  server.replies["/organize/actions"] = acted({ action: "team.test", code: "kelp-0042" });
  const button = dialog.getByRole("button", { name: "Create a test team" });
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("false"), PATIENT);
  await user.click(button);
  const code = within(await find("region", "Reset code for Try-out"));
  expect(code.getByText("kelp-0042")).toBeTruthy();
  await user.click(code.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("kelp-0042")).toBeNull();
});

test("an author without solves sees that other challenges were solved", async () => {
  signedIn(["event.overview", "flag.list"], ["author"]);
  open("/organize");
  expect(await screen.findByText(/Solves in the event: 5\.$/, {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText("No activity yet.")).toBeNull();
});
