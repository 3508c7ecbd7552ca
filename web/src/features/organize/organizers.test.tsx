/** The list of organizers, for owners. */
import { screen, waitFor, within } from "@testing-library/react";
import type userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, type Reply, server } from "../../fake-server";
import { LINK, ME, needsFactor, onceThen, WEB } from "./fake-server";

const ADA = {
  ...{ name: "Ada", roles: ["owner"], challenges: [], isEnrolled: true, createdAt: 1 },
  ...{ sessions: 2, tokens: 3, loggedInAt: null },
};
const BOB = {
  name: "Bob",
  roles: ["author", "support"],
  challenges: ["web-1", "pwn"],
  isEnrolled: false,
  createdAt: 2,
  ...{ sessions: 0, tokens: 0, loggedInAt: null },
};

/** Bob's `web-1` no longer exists. */
const CHALLENGES = [
  { ...WEB, id: "web-2", challengeName: "Strings" },
  { ...WEB, id: "oars", challengeName: "Oars" },
  { ...WEB, id: "pwn", challengeName: "Pwn me" },
];

beforeEach(() => {
  server.replies["/organize/organizers"] = [200, { organizers: [ADA, BOB] }];
  server.replies["/organize/challenges"] = [200, { challenges: CHALLENGES }];
});

type User = ReturnType<typeof userEvent.setup>;

async function click(user: User, name: string) {
  await user.click(await screen.findByRole("button", { name }, PATIENT));
}

async function choose(user: User, person: string, action: string) {
  await click(user, `Actions for ${person}`);
  await user.click(await screen.findByRole("menuitem", { name: action }, PATIENT));
}

const dialog = (name: string) => screen.findByRole("dialog", { name }, PATIENT);
const noteOf = (field: HTMLElement) =>
  document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;

test("owners see other organizers, their roles and pending invitations", async () => {
  open("/organize/account");
  const bob = (await screen.findByText("Bob", {}, PATIENT)).closest("tr");
  expect(bob?.textContent).toContain("author, support");
  expect(bob?.textContent).toContain("invitation pending");
  await waitFor(() => expect(bob?.textContent).toContain("Challenges: web-1, Pwn me"), PATIENT);
  const ada = screen.getByRole("button", { name: "Actions for Ada" }).closest("tr");
  expect(ada?.textContent).toContain("owner");
  expect(ada?.textContent).toContain("set up");
  expect(ada?.textContent).toMatch(/not in the last 12 hours23$/);
});

test("other roles neither see nor fetch them", async () => {
  server.replies["/organize/me"] = [200, { ...ME, actions: ["account.own"] }];
  open("/organize/account");
  await screen.findByRole("heading", { level: 1, name: "Ada" }, PATIENT);
  expect(screen.queryByRole("heading", { name: "Organizers" })).toBeNull();
  expect(callsTo("/organize/organizers")).toHaveLength(0);
});

test("a new organizer needs a code, and gets a link that is shown once", async () => {
  needsFactor({ "/organize/organizers/add": [200, LINK] });
  const { user } = open("/organize/account");
  await click(user, "Add organizer");
  const box = await dialog("Add organizer");
  await user.type(within(box).getByLabelText("Name"), " Cleo ");
  expect(within(box).queryByRole("group", { name: "Challenges" })).toBeNull();
  await user.click(within(box).getByRole("checkbox", { name: "author" }));
  const list = await within(box).findByRole("group", { name: "Challenges" }, PATIENT);
  for (const name of ["Strings", "Oars"]) {
    await user.click(within(list).getByRole("checkbox", { name }));
  }
  await user.click(within(box).getByRole("button", { name: "Add" }));
  const factor = await dialog("Two-factor authentication");
  await user.type(within(factor).getByLabelText("Six-digit code"), "123456{enter}");
  const link = await screen.findByLabelText("Invitation link", {}, PATIENT);
  expect(link).toHaveProperty("value", LINK.link);
  expect(document.activeElement).toBe(link);
  expect(screen.getByRole("region", { name: "Invitation for Cleo" }).textContent).toContain(
    "expires in 24 hours",
  );
  expect(callsTo("/organize/organizers/add").at(-1)?.body).toEqual({
    name: "Cleo",
    roles: ["author"],
    challenges: ["web-2", "oars"],
  });
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(callsTo("/organize/organizers")).toHaveLength(2), PATIENT);
  await click(user, "Done");
  expect(screen.queryByLabelText("Invitation link")).toBeNull();
  const title = screen.getByRole("heading", { name: "Organizers" });
  expect(document.activeElement).toBe(title);
});

test("local and server errors appear at their fields", async () => {
  const refuse = (code: string): Reply => [409, { code, message: `It is ${code}.` }];
  server.replies["/organize/organizers/add"] = onceThen(
    refuse("organizer_name_taken"),
    refuse("overloaded"),
  );
  const { user } = open("/organize/account");
  await click(user, "Add organizer");
  const box = await dialog("Add organizer");
  const name = within(box).getByLabelText("Name");
  await user.type(name, "Al{enter}");
  expect(noteOf(name)).toBe("Use 3 to 25 characters.");
  expect(within(box).getByText("Choose at least one role.")).toBeTruthy();
  expect(callsTo("/organize/organizers/add")).toHaveLength(0);
  await user.click(within(box).getByRole("checkbox", { name: "support" }));
  await user.type(name, "an{enter}");
  await waitFor(() => expect(noteOf(name)).toBe("It is organizer_name_taken."), PATIENT);
  expect(document.activeElement).toBe(name);
  await user.type(name, "a{enter}");
  expect(await within(box).findByText("It is overloaded.", {}, PATIENT)).toBeTruthy();
});

test("roles change, and the last-owner error appears at the roles", async () => {
  const last = { code: "last_owner", message: "This is the last owner." };
  server.replies["/organize/organizers/role"] = onceThen([409, last], [200, {}]);
  const { user } = open("/organize/account");
  await choose(user, "Bob", "Change roles");
  const box = await dialog("Change roles of Bob");
  const list = await within(box).findByRole("group", { name: "Challenges" }, PATIENT);
  const ticked = within(list).getAllByRole("checkbox", { checked: true });
  expect(ticked.map((one) => one.closest("label")?.textContent)).toEqual(["Pwn me", "web-1"]);
  await user.click(within(box).getByRole("checkbox", { name: "author" }));
  await user.click(within(box).getByRole("button", { name: "Save" }));
  const roles = within(box).getByRole("group", { name: "Roles" });
  expect(await within(roles).findByText("This is the last owner.", {}, PATIENT)).toBeTruthy();
  await user.click(within(box).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  expect(callsTo("/organize/organizers/role")[1]?.body).toEqual({
    name: "Bob",
    roles: ["support"],
    challenges: [],
  });
});

test("a reset states its effect, and creates a new link", async () => {
  server.replies["/organize/organizers/reset"] = [200, LINK];
  const { user } = open("/organize/account");
  await choose(user, "Bob", "Reset");
  const box = await dialog("Reset Bob");
  expect(box.textContent).toContain("revokes all sessions and API tokens");
  await user.click(within(box).getByRole("button", { name: "Reset" }));
  expect(await screen.findByLabelText("Invitation link", {}, PATIENT)).toBeTruthy();
  expect(callsTo("/organize/organizers/reset")[0]?.body).toEqual({ name: "Bob" });
});

test("a removal is confirmed; canceling removes nobody", async () => {
  server.replies["/organize/organizers/remove"] = () => {
    server.replies["/organize/organizers"] = [200, { organizers: [ADA] }];
    return [200, {}];
  };
  const { user } = open("/organize/account");
  await choose(user, "Bob", "Remove");
  await user.click(within(await dialog("Remove Bob")).getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(callsTo("/organize/organizers/remove")).toHaveLength(0);
  await choose(user, "Bob", "Remove");
  await user.click(within(await dialog("Remove Bob")).getByRole("button", { name: "Remove" }));
  await waitFor(() => expect(screen.queryByText("Bob")).toBeNull(), PATIENT);
  const title = screen.getByRole("heading", { name: "Organizers" });
  expect(document.activeElement).toBe(title);
  expect(callsTo("/organize/organizers/remove")[0]?.body).toEqual({ name: "Bob" });
});
