/** The signup page before, during and after the window in which teams can sign up. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { callsTo, HOUR_MS, open, PATIENT, server } from "../../fake-server";

const form = () => screen.queryByRole("textbox", { name: "Team name" });

test("before the window, the page says when it opens, and shows the form then", async () => {
  server.info.registration = {
    open: true,
    opens: Date.now() + 4000,
    closes: null,
    codes: "none",
    fields: [],
    waitingList: false,
    full: false,
  };
  open("/signup");
  expect(await screen.findByText(/^Registration opens: /, {}, PATIENT)).toBeTruthy();
  expect(form()).toBeNull();
  expect(await screen.findByRole("textbox", { name: "Team name" }, PATIENT)).toBeTruthy();
  expect(screen.queryByText(/^Registration opens: /)).toBeNull();
});

test("during the window, the page says when it closes", async () => {
  server.info.registration = {
    open: true,
    opens: null,
    closes: Date.now() + HOUR_MS,
    codes: "none",
    fields: [],
    waitingList: false,
    full: false,
  };
  open("/signup");
  expect(await screen.findByText(/^Registration closes: /, {}, PATIENT)).toBeTruthy();
  expect(form()).not.toBeNull();
});

test("after the window there is no form", async () => {
  server.info.registration = {
    open: true,
    opens: null,
    closes: Date.now() - 1,
    codes: "none",
    fields: [],
    waitingList: false,
    full: false,
  };
  open("/signup");
  expect(await screen.findByText("Registration is closed.", {}, PATIENT)).toBeTruthy();
  expect(form()).toBeNull();
});

test("the code field appears if the event uses codes", async () => {
  server.info.registration = {
    open: true,
    opens: null,
    closes: null,
    codes: "required",
    fields: [],
    waitingList: false,
    full: false,
  };
  open("/signup");
  const field = await screen.findByLabelText("Signup code", {}, PATIENT);
  expect(field).toHaveProperty("required", true);
});

const WINDOW = { open: true, opens: null, closes: null, codes: "none", fields: [] };

test("a full event without a waiting list has no form", async () => {
  server.info.registration = { ...WINDOW, waitingList: false, full: true };
  open("/signup");
  expect(await screen.findByText("The event is full.", {}, PATIENT)).toBeTruthy();
  expect(form()).toBeNull();
});

test("a full event offers its waiting list, and says what happens next", async () => {
  server.info.registration = { ...WINDOW, waitingList: true, full: true };
  server.replies["/signup"] = [201, { message: "x", waiting: true }];
  const { user } = open("/signup");
  expect(await screen.findByText(/You can sign up for the waiting list/, {}, PATIENT)).toBeTruthy();
  await user.type(screen.getByLabelText("Team name"), "Ours");
  await user.type(screen.getByLabelText("Email"), "a@b.example");
  await user.type(screen.getByLabelText("Password"), "secret1");
  await user.click(screen.getByRole("button", { name: "Sign up for the waiting list" }));
  expect(await screen.findByText(/^Your team is on the waiting list\. First confirm/)).toBeTruthy();
  expect(screen.getByText(/^We sent a link to a@b\.example\./)).toBeTruthy();
});

test("the login says that the team is waiting", async () => {
  const message = "This team is on the waiting list. It gets an email when a place is free.";
  server.replies["/login"] = [403, { code: "registration_waiting", message }];
  const { user } = open("/login");
  await user.type(await screen.findByLabelText("Team", {}, PATIENT), "Ours");
  await user.type(screen.getByLabelText("Password"), "secret1{enter}");
  expect(await screen.findByText(message)).toBeTruthy();
});

test("a confirmed team on the waiting list gets no login", async () => {
  server.replies["/confirm"] = [200, { message: "x", team: "Ours", waiting: true }];
  const { user } = open("/confirm#token");
  await user.click(await screen.findByRole("button", { name: /confirm/i }, PATIENT));
  expect(await screen.findByText(/^When a place is free, your team takes part/)).toBeTruthy();
  expect(screen.queryByLabelText("Password")).toBeNull();
});

test("a team chooses one division of each group, with the code of one that needs it", async () => {
  server.info.divisions = [
    { id: "school", name: "School", group: "Kind", join: "code" },
    { id: "students", name: "Students", group: "Kind", join: "open", student: true },
    { id: "prize", name: "Prize", group: "Prize", join: "organizers" },
  ];
  server.replies["/signup"] = [201, { message: "x" }];
  const { user } = open("/signup");
  const kind = await screen.findByRole("combobox", { name: "Kind (optional)" }, PATIENT);
  const options = within(kind).getAllByRole("option");
  // The checkbox stands for the division of students, and organizers add teams to prizes.
  expect(options.map((option) => option.textContent)).toEqual(["", "School"]);
  expect(screen.queryByRole("combobox", { name: "Prize (optional)" })).toBeNull();
  await user.selectOptions(kind, "School");
  await user.type(await screen.findByLabelText("Code for School"), " sea horse ");
  await user.type(screen.getByLabelText("Team name"), "Otters");
  await user.type(screen.getByLabelText("Email"), "otters@example.org");
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Signup" }));
  await waitFor(() => expect(callsTo("/signup")).toHaveLength(1));
  const [call] = callsTo("/signup");
  expect(call?.body).toMatchObject({
    divisions: ["school"],
    divisionCode: { school: "sea horse" },
    studentTeam: false,
  });
});

test("a division of students that needs a code is chosen without the checkbox", async () => {
  server.info.divisions = [
    { id: "students", name: "Students", group: "Kind", join: "code", student: true },
  ];
  const { user } = open("/signup");
  const kind = await screen.findByRole("combobox", { name: "Kind (optional)" }, PATIENT);
  expect(screen.queryByRole("checkbox", { name: /students/ })).toBeNull();
  await user.selectOptions(kind, "Students");
  expect(await screen.findByLabelText("Code for Students")).toBeTruthy();
});
