/** The list of organizers, for owners. */
import { screen, waitFor, within } from "@testing-library/react";
import type userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, type Reply, server } from "../../stand-in";
import { LINK, ME, needsFactor, onceThen, WEB } from "./stand-in";

const ADA = { name: "Ada", roles: ["owner"], challenges: [], isEnrolled: true, createdAt: 1 };
const BOB = {
  name: "Bob",
  roles: ["author", "support"],
  challenges: ["web-1", "pwn"],
  isEnrolled: false,
  createdAt: 2,
};

/** `web-1` of Bob is not among them any more. */
const CHALLENGES = [
  { ...WEB, id: "web-2", challengeName: "Strings" },
  { ...WEB, id: "oars", challengeName: "Oars" },
  { ...WEB, id: "pwn", challengeName: "Pwn me" },
];

beforeEach(() => {
  server.replies["/organize/organizers"] = [200, { organizers: [ADA, BOB] }];
  server.replies["/organize/challenges"] = [200, { challenges: CHALLENGES }];
});

async function click(user: ReturnType<typeof userEvent.setup>, name: string) {
  await user.click(await screen.findByRole("button", { name }, PATIENT));
}

const dialog = (name: string) => screen.findByRole("dialog", { name }, PATIENT);
const noteOf = (field: HTMLElement) =>
  document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;

test("owners see the others, their roles, and who is not enrolled yet", async () => {
  open("/organize/account");
  const bob = (await screen.findByText("Bob", {}, PATIENT)).closest("li");
  expect(bob?.textContent).toContain("author, support · invited, not enrolled yet");
  expect(bob?.textContent).toContain("Challenges: web-1, pwn");
  const ada = screen.getByRole("button", { name: "Reset Ada" }).closest("li");
  expect(ada?.textContent).toContain("owner · enrolled");
});

test("others do not, and do not ask", async () => {
  server.replies["/organize/me"] = [200, { ...ME, actions: ["account.own"] }];
  open("/organize/account");
  await screen.findByRole("heading", { level: 1, name: "Ada" }, PATIENT);
  expect(screen.queryByRole("heading", { name: "Organizers" })).toBeNull();
  expect(callsTo("/organize/organizers")).toHaveLength(0);
});

test("a new organizer needs the factor, and gets a link that is shown once", async () => {
  needsFactor({ "/organize/organizers/add": [200, LINK] });
  const { user } = open("/organize/account");
  await click(user, "Add an organizer");
  const box = await dialog("Add an organizer");
  await user.type(within(box).getByLabelText("Name"), " Cleo ");
  expect(within(box).queryByRole("group", { name: "Challenges" })).toBeNull();
  await user.click(within(box).getByRole("checkbox", { name: "author" }));
  const list = await within(box).findByRole("group", { name: "Challenges" }, PATIENT);
  for (const name of ["Strings", "Oars"]) {
    await user.click(within(list).getByRole("checkbox", { name }));
  }
  await user.click(within(box).getByRole("button", { name: "Add" }));
  const factor = await dialog("Second factor");
  await user.type(within(factor).getByLabelText("Six-digit code"), "123456{enter}");
  const link = await screen.findByLabelText("Invitation link", {}, PATIENT);
  expect(link).toHaveProperty("value", LINK.link);
  expect(document.activeElement).toBe(link);
  expect(screen.getByRole("region", { name: "Invitation for Cleo" }).textContent).toContain(
    "valid for 24 hours",
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

test("a short name and no role are said here; what the server refuses, at its field", async () => {
  const refuse = (code: string): Reply => [409, { code, message: `It is ${code}.` }];
  server.replies["/organize/organizers/add"] = onceThen(
    refuse("organizer_name_taken"),
    refuse("overloaded"),
  );
  const { user } = open("/organize/account");
  await click(user, "Add an organizer");
  const box = await dialog("Add an organizer");
  const name = within(box).getByLabelText("Name");
  await user.type(name, "Al{enter}");
  expect(noteOf(name)).toBe("A name has 3 to 25 characters.");
  expect(within(box).getByText("Choose at least one role.")).toBeTruthy();
  expect(callsTo("/organize/organizers/add")).toHaveLength(0);
  await user.click(within(box).getByRole("checkbox", { name: "support" }));
  await user.type(name, "an{enter}");
  await waitFor(() => expect(noteOf(name)).toBe("It is organizer_name_taken."), PATIENT);
  expect(document.activeElement).toBe(name);
  await user.type(name, "a{enter}");
  expect(await within(box).findByText("It is overloaded.", {}, PATIENT)).toBeTruthy();
});

test("the roles change, and the last owner's error stands at the roles", async () => {
  const last = { code: "last_owner", message: "This is the last owner." };
  server.replies["/organize/organizers/role"] = onceThen([409, last], [200, {}]);
  const { user } = open("/organize/account");
  await click(user, "Roles of Bob");
  const box = await dialog("Roles of Bob");
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

test("a reset says what it takes, and gives a new link", async () => {
  server.replies["/organize/organizers/reset"] = [200, LINK];
  const { user } = open("/organize/account");
  await click(user, "Reset Bob");
  const box = await dialog("Reset Bob");
  expect(box.textContent).toContain("ends all sessions and tokens");
  await user.click(within(box).getByRole("button", { name: "Reset" }));
  expect(await screen.findByLabelText("Invitation link", {}, PATIENT)).toBeTruthy();
  expect(callsTo("/organize/organizers/reset")[0]?.body).toEqual({ name: "Bob" });
});

test("a removal is confirmed; cancelling removes nobody", async () => {
  server.replies["/organize/organizers/remove"] = () => {
    server.replies["/organize/organizers"] = [200, { organizers: [ADA] }];
    return [200, {}];
  };
  const { user } = open("/organize/account");
  await click(user, "Remove Bob");
  await user.click(within(await dialog("Remove Bob")).getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(callsTo("/organize/organizers/remove")).toHaveLength(0);
  await click(user, "Remove Bob");
  await user.click(within(await dialog("Remove Bob")).getByRole("button", { name: "Remove" }));
  await waitFor(() => expect(screen.queryByText("Bob")).toBeNull(), PATIENT);
  const title = screen.getByRole("heading", { name: "Organizers" });
  expect(document.activeElement).toBe(title);
  expect(callsTo("/organize/organizers/remove")[0]?.body).toEqual({ name: "Bob" });
});
