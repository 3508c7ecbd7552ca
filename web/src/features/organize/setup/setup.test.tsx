/** The setup: fields of its forms, and the actions that it performs. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../fake-server";
import { acted, OWNERS_ACTIONS, signedIn } from "../fake-server";

const EMPTY = {
  ...{ event: null, rules: null, rulesFromFiles: false, secrets: {}, fixed: {}, pages: [] },
  sections: { mail: {}, captcha: { provider: "off" } },
};

const actions = () => callsTo("/organize/actions").filter(({ body }) => body !== null);

const ORGANIZERS_ACTIONS = [...OWNERS_ACTIONS, "settings.read", "event.name", "event.rules"];

beforeEach(() => {
  signedIn([...ORGANIZERS_ACTIONS, "settings.set", "brand.set"]);
  sessionStorage.clear();
  localStorage.clear();
  server.replies["/organize/settings"] = [200, EMPTY];
});

test("the first run asks whether the final scoreboard waits for the ceremony", async () => {
  const { user } = open("/organize/setup");
  await user.type(await screen.findByLabelText("Event name", {}, PATIENT), "Cup");
  await user.click(screen.getByRole("radio", { name: "Yes, an organizer reveals it" }));
  expect(screen.getByText(/until an organizer reveals it/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  await waitFor(
    () => expect(actions()[0]?.body).toMatchObject({ action: "event.name", reveal: "manual" }),
    PATIENT,
  );
});

test("the setup uses the time zone of its form", async () => {
  const { user } = open("/organize/setup");
  const zone = await screen.findByLabelText("Event time zone", {}, PATIENT);
  fireEvent.change(zone, { target: { value: "Berlin" } });
  expect(screen.getByText("Unknown time zone. Use a name such as Europe/Berlin.")).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Start"), { target: { value: "2031-12-04T18:00" } });
  fireEvent.change(screen.getByLabelText("End"), { target: { value: "2031-12-05T18:00" } });
  fireEvent.change(zone, { target: { value: "Europe/Berlin" } });
  expect(screen.getByText(/^= Thu, 4 Dec 2031, 18:00 CET; .* 17:00 UTC/)).toBeTruthy();
  await user.type(screen.getByLabelText("Event name"), "Cup");
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  const [start, end] = ["2031-12-04T17:00:00.000Z", "2031-12-05T17:00:00.000Z"];
  await waitFor(() => expect(actions().at(-1)?.body).toMatchObject({ start, end }), PATIENT);
  expect(actions()[0]?.body).toMatchObject({ action: "event.name", timezone: "Europe/Berlin" });
});

test("unchanged event times are shown in its time zone and not sent again", async () => {
  const start = Date.UTC(2031, 5, 4, 16);
  const event = { name: "Cup", timezone: "Europe/Berlin", flagFormat: "", reveal: "auto" };
  const times = { start, end: start + 3_600_000, freeze: null };
  server.replies["/organize/settings"] = [200, { ...EMPTY, event: { ...event, ...times } }];
  const { user } = open("/organize/setup?step=name");
  const field = await screen.findByLabelText("Start", {}, PATIENT);
  expect(field).toHaveProperty("value", "2031-06-04T18:00");
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  await screen.findByRole("heading", { level: 2, name: "Rules" }, PATIENT);
  expect(actions().map(({ body }) => body)).toMatchObject([{ action: "event.name" }]);
});

test("a shared campus network gets a higher signup limit and is exempt from others", async () => {
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const sections = { ...EMPTY.sections, limits: { signups_per_network_per_hour: 20 } };
  server.replies["/organize/settings"] = [
    200,
    { ...EMPTY, sections, event: { ...event, ...times } },
  ];
  const { user } = open("/organize/setup?step=players");
  const name = "Yes, they share one address";
  const yes = await screen.findByRole("radio", { name }, PATIENT);
  expect(yes).toHaveProperty("checked", false);
  await user.click(yes);
  await user.type(screen.getByLabelText("Public address of that network"), "192.0.2.7, 10.0.0.0/8");
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  const networks = ["192.0.2.7", "10.0.0.0/8"];
  const values = { signups_per_network_per_hour: 0, trusted_networks: networks };
  await waitFor(
    () => expect(actions().at(-1)?.body).toMatchObject({ section: "limits", values }),
    PATIENT,
  );
});

test("the freeze is an hour before the end, and the input survives a reload", async () => {
  const typed = async () => screen.findByLabelText("Event name", {}, PATIENT);
  const { user, unmount } = open("/organize/setup");
  await user.type(await typed(), "Harbour: Night");
  await user.click(screen.getByRole("radio", { name: "One hour before the end" }));
  fireEvent.change(screen.getByLabelText("Event time zone"), { target: { value: "UTC" } });
  fireEvent.change(screen.getByLabelText("Start"), { target: { value: "2031-12-04T18:00" } });
  fireEvent.change(screen.getByLabelText("End"), { target: { value: "2031-12-04T17:00" } });
  expect(screen.getByText("The end must be after the start.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  expect(actions()).toEqual([]);
  unmount();
  const again = open("/organize/setup");
  expect(await typed()).toHaveProperty("value", "Harbour: Night");
  fireEvent.change(screen.getByLabelText("End"), { target: { value: "2031-12-05T18:00" } });
  await again.user.click(screen.getByRole("button", { name: "Save and continue" }));
  const times = { freeze: "2031-12-05T17:00:00.000Z", end: "2031-12-05T18:00:00.000Z" };
  await waitFor(() => expect(actions().at(-1)?.body).toMatchObject(times), PATIENT);
});

test("the preview shows the input, and its text says the same", async () => {
  const { user } = open("/organize/setup");
  await user.type(await screen.findByLabelText("Event name", {}, PATIENT), "Harbour: Night");
  const preview = screen.getByRole("complementary", { name: "Preview" });
  expect(preview.textContent).toContain("Home page of Harbour: Night.");
  expect(preview.querySelector("[inert]")?.textContent).toContain("HarbourNight");
  await user.click(screen.getByText("Look of the home page (optional)"));
  await user.type(screen.getByLabelText("Accent color"), "#0077cc");
  const screenOf = preview.querySelector<HTMLElement>("[inert]");
  expect(screenOf?.style.getPropertyValue("--accent-fill")).toBe("#0077cc");
});

test("the signup has a window and domains", async () => {
  server.info.timezone = "UTC";
  const registration = { open: true, confirm_email: true, opens: Date.UTC(2031, 0, 1, 9) };
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const sections = { captcha: { provider: "altcha" }, registration };
  const settings = { ...EMPTY, sections, event: { ...event, ...times } };
  server.replies["/organize/settings"] = [200, settings];
  const { user } = open("/organize/setup?step=players");
  const opens = await screen.findByLabelText("From (optional)", {}, PATIENT);
  expect(opens).toHaveProperty("value", "2031-01-01T09:00");
  const until = screen.getByLabelText("Until (optional)");
  fireEvent.change(until, { target: { value: "2031-01-02T18:00" } });
  const domains = screen.getByLabelText(/^Only with email addresses of these domains/);
  await user.type(domains, "a.example, b.example");
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  await screen.findByRole("heading", { level: 2, name: "First challenge" }, PATIENT);
  const values = {
    closes: "2031-01-02T18:00:00.000Z",
    email_domains: ["a.example", "b.example"],
  };
  expect(actions().map(({ body }) => body)).toEqual([
    expect.objectContaining({ section: "registration", values }),
  ]);
});

test("the signup form has codes and questions, and the known ones are not sent again", async () => {
  const school = { id: "school", label: "School", type: "text", choices: [], required: true };
  const registration = { open: true, confirm_email: true, fields: [school] };
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const sections = { captcha: { provider: "altcha" }, registration };
  const settings = { ...EMPTY, sections, event: { ...event, ...times } };
  server.replies["/organize/settings"] = [200, settings];
  const { user, unmount } = open("/organize/setup?step=players");
  const codes = await screen.findByLabelText("Signup codes", {}, PATIENT);
  await user.selectOptions(codes, "Required");
  expect(screen.getByText(/^Create the codes on the Event page/)).toBeTruthy();
  const save = () => user.click(screen.getByRole("button", { name: "Save and continue" }));
  await save();
  await screen.findByRole("heading", { level: 2, name: "First challenge" }, PATIENT);
  const saved = () => actions().map(({ body }) => body);
  expect(saved()).toEqual([expect.objectContaining({ values: { codes: "required" } })]);
  unmount();
  const again = open("/organize/setup?step=players");
  await again.user.click(await screen.findByRole("button", { name: "Add question" }, PATIENT));
  await again.user.type(screen.getByLabelText("Question 2"), "City");
  await again.user.type(screen.getByLabelText(/^ID of question 2/), "city");
  await save();
  const asked = { id: "school", label: "School", type: "text", required: true };
  const added = { id: "city", label: "City", type: "text", required: false };
  const values = { fields: [asked, added] };
  await waitFor(() => expect(saved().at(-1)).toMatchObject({ values }), PATIENT);
});

test("signup can be closed, and unchanged sections are not sent", async () => {
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const registration = { open: true, confirm_email: true, student_label: "Students" };
  const sections = { captcha: { provider: "altcha" }, registration };
  const settings = { ...EMPTY, sections, event: { ...event, ...times } };
  server.replies["/organize/settings"] = [200, settings];
  const { user } = open("/organize/setup?step=players");
  await user.click(await screen.findByRole("radio", { name: /^Nobody/ }, PATIENT));
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  await screen.findByRole("heading", { level: 2, name: "First challenge" }, PATIENT);
  expect(actions().map(({ body }) => body)).toMatchObject([
    { section: "registration", values: { open: false } },
  ]);
});

test("the default text of the students' box is shown, and saving ticks the step", async () => {
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const sections = { captcha: { provider: "altcha" } };
  const settings = { ...EMPTY, sections, event: { ...event, ...times } };
  server.replies["/organize/settings"] = [200, settings];
  const { user } = open("/organize/setup?step=players");
  const label = await screen.findByLabelText("Text of the checkbox for students", {}, PATIENT);
  expect(label.getAttribute("placeholder")).toMatch(/^My team is fully composed of/);
  const step = () => screen.getByRole("link", { name: /Players/ }).textContent;
  expect(step()).not.toContain("done");
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  await waitFor(() => expect(step()).toContain("done"), PATIENT);
});

test("the last step says that the event has ended", async () => {
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 1000, end: 2000, freeze: null };
  server.replies["/organize/settings"] = [200, { ...EMPTY, event: { ...event, ...times } }];
  open("/organize/setup?step=start");
  expect(await screen.findByText("Cup has ended.", {}, PATIENT)).toBeTruthy();
});

test("a choice set in the event files is read-only", async () => {
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const fixed = { mail: ["transport"], captcha: ["provider"] };
  const settings = { ...EMPTY, fixed, event: { ...event, ...times } };
  server.replies["/organize/settings"] = [200, settings];
  const labels = { mail: "Delivery", players: "Captcha" };
  for (const [step, label] of Object.entries(labels)) {
    const { unmount } = open(`/organize/setup?step=${step}`);
    const choice = await screen.findByLabelText(label, {}, PATIENT);
    expect(choice).toHaveProperty("disabled", true);
    expect(screen.getByText(/event\.toml/)).toBeTruthy();
    unmount();
  }
});

test("without permission the mail and players steps are skipped", async () => {
  signedIn(ORGANIZERS_ACTIONS, ["organizer"]);
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const settings = { ...EMPTY, rules: "Be kind.", event: { ...event, ...times } };
  server.replies["/organize/settings"] = [200, settings];
  const { unmount } = open("/organize/setup?step=mail");
  const progress = await screen.findByRole("navigation", { name: "Steps" }, PATIENT);
  const named = (box: HTMLElement) =>
    within(box)
      .getAllByRole("link")
      .map(({ textContent }) => textContent?.replace(/^\d|, done$/g, ""));
  const theirs = ["Name and times", "Rules", "First challenge", "Start"];
  expect(await screen.findByText(/^3 of 4 steps done/, {}, PATIENT)).toBeTruthy();
  expect(named(progress)).toEqual(theirs);
  expect(screen.getByRole("heading", { level: 2, name: "Start" })).toBeTruthy();
  unmount();
  open("/organize/event?tab=settings");
  expect(await screen.findByRole("link", { name: /First challenge/ }, PATIENT)).toBeTruthy();
  expect(screen.queryByRole("link", { name: /Players/ })).toBeNull();
});

test("starting the event now goes through the times dialog, after a preview", async () => {
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const settings = { ...EMPTY, rules: "Be kind.", event: { ...event, ...times } };
  server.replies["/organize/settings"] = [200, settings];
  const phases = { startsAtOnce: true, endsAtOnce: false, showsHidden: false };
  server.replies["/organize/actions"] = acted({ action: "event.times", phases });
  const { user } = open("/organize/setup?step=start");
  await user.click(await screen.findByRole("button", { name: "Start event now" }, PATIENT));
  const sheet = within(await screen.findByRole("dialog", { name: "Change the times of Cup" }));
  expect(await sheet.findByText(/^The event starts immediately:/, {}, PATIENT)).toBeTruthy();
  expect(actions().map(({ body }) => body)).toMatchObject([
    { action: "event.times", preview: true },
  ]);
  await user.click(sheet.getByRole("button", { name: /^Start .* → / }));
  const done = { start: expect.stringMatching(/Z$/), head: 3 };
  await waitFor(() => expect(actions().at(-1)?.body).toMatchObject(done), PATIENT);
});
