/** Forms of the Event and Messages pages: values, drafts, warnings and sent actions. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../fake-server";
import { acted, isListOfActions, OWNERS_ACTIONS, signedIn } from "../fake-server";
// Preloaded, so that loading does not count toward a test's timeout.
import "./brand/brand";
import "./settings";
import "./texts";

// Tests the plain field, because the Markdown editor needs layout.
vi.mock("../editor/code-mirror", () => {
  throw new Error("it does not load");
});

const SETTINGS = {
  event: { name: "Harbour CTF", timezone: "UTC", flagFormat: "flag{...}", reveal: "auto" },
  rules: "Be *kind*.",
  rulesFromFiles: false,
  sections: {
    registration: { open: true, confirm_email: true, password_min: 8, reserved_names: ["admin"] },
    limits: { mails_per_hour: 5000 },
    privacy: { sightings_days: 30 },
    site: { banner: "Hi", accent: "#0077cc", links: [], sponsors: [] },
  },
  secrets: {},
  fixed: { registration: ["password_min"], site: ["banner"] },
  pages: [
    { slug: "about", title: "About", place: "footer", position: null, text: "# About" },
    { slug: "faq", title: "Questions", place: "navigation", position: null, text: null },
  ],
};
const ACTIONS = [
  ...OWNERS_ACTIONS,
  ...["settings.read", "settings.set", "event.rules", "page.set", "page.remove", "brand.set"],
  "answers.set",
];
const QUESTION = {
  ...{ id: 5, at: Date.now(), teamName: "Otters", challengeId: null, text: "Wi-Fi?" },
  ...{ state: "open", answer: null, answeredAt: null },
};

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const field = (name: string | RegExp) => screen.findByLabelText(name, {}, PATIENT);
const actions = () => callsTo("/organize/actions").filter(({ body }) => body !== null);
const sent = (body: object) =>
  waitFor(() => expect(actions().at(-1)?.body).toMatchObject(body), PATIENT);

beforeEach(() => {
  sessionStorage.clear();
  signedIn(ACTIONS);
  server.replies["/organize/settings"] = [200, SETTINGS];
  server.replies["/organize/texts/preview"] = [
    200,
    { title: null, html: "<p>As <em>rendered</em></p>", problems: [] },
  ];
});

test("a setting is changed through a dialog; file settings are read-only", async () => {
  const { user } = open("/organize/event?tab=settings");
  const form = within(await find("form", "Registration"));
  expect(form.getByLabelText("Minimum password length")).toHaveProperty("readOnly", true);
  expect(form.getByText("Set in event.toml. Change it there.")).toBeTruthy();
  const save = form.getByRole("button", { name: "Save settings" });
  expect(save.getAttribute("aria-disabled")).toBe("true");
  const people = form.getByLabelText("Maximum member names per team");
  await user.type(people, "21");
  expect(form.getByText("A whole number from 0 to 20")).toBeTruthy();
  expect(save.getAttribute("aria-disabled")).toBe("true");
  await user.clear(people);
  await user.click(form.getByLabelText("Registration open"));
  await user.click(save);
  const sheet = within(await find("dialog", "Save Registration"));
  expect(sheet.getByText("Registration open: Yes → No")).toBeTruthy();
  await sent({
    action: "settings.set",
    section: "registration",
    values: { open: false },
    preview: true,
  });
  await waitFor(() =>
    expect(sheet.getByRole("button", { name: "Save Registration" })).toBeTruthy(),
  );
  await user.click(sheet.getByRole("button", { name: "Save Registration" }));
  await sent({ values: { open: false }, head: 3 });
});

test("a concurrent change is reported, and the input is kept", async () => {
  const { user } = open("/organize/event?tab=settings");
  const days = await field(/^Days to keep/);
  await user.clear(days);
  await user.type(days, "7");
  const theirs = { ...SETTINGS.sections, privacy: { sightings_days: 14 } };
  server.replies["/organize/settings"] = [200, { ...SETTINGS, sections: theirs }];
  await user.click(within(await find("form", "Privacy")).getByRole("button", { name: /^Save/ }));
  const sheet = within(await find("dialog", "Save Privacy"));
  expect(await sheet.findByText(/Someone else also changed this/, {}, PATIENT)).toBeTruthy();
  expect(days).toHaveProperty("value", "7");
  const form = within(await find("form", "Privacy"));
  expect(form.getByText(/: 30 → 14$/)).toBeTruthy();
  expect(form.getByText("1 unsaved change")).toBeTruthy();
  expect(await sheet.findByText(/: 14 → 7$/, {}, PATIENT)).toBeTruthy();
});

test("a role without permission sees the settings read-only", async () => {
  signedIn(ACTIONS.filter((action) => action !== "settings.set"));
  open("/organize/event?tab=settings");
  const form = within(await find("form", "Registration"));
  expect(form.getByText(/Only owners can change these/)).toBeTruthy();
  expect(form.getByLabelText("Registration open")).toHaveProperty("disabled", true);
  expect(form.queryByRole("button", { name: "Save settings" })).toBeNull();
});

test("the rules have a player preview, and a draft survives leaving the page", async () => {
  const first = open("/organize/event?tab=texts");
  const text = await field("Content");
  expect(await screen.findByText("rendered", {}, PATIENT)).toBeTruthy();
  await first.user.type(text, " Play.");
  first.unmount();
  const { user } = open("/organize/event?tab=texts");
  await waitFor(
    async () => expect(await field("Content")).toHaveProperty("value", "Be *kind*. Play."),
    PATIENT,
  );
  const body = { text: "Be *kind*. Play." };
  await waitFor(
    () => expect(callsTo("/organize/texts/preview").at(-1)?.body).toEqual(body),
    PATIENT,
  );
  await user.click(await find("button", "Save rules"));
  await find("dialog", "Save rules for Harbour CTF");
  await sent({ action: "event.rules", ...body, preview: true });
  server.replies["/organize/actions"] = () => {
    if (isListOfActions()) return [200, { actions: [] }];
    server.replies["/organize/settings"] = [200, { ...SETTINGS, rules: body.text }];
    return acted({ action: "event.rules" });
  };
  await user.click(await find("button", "Save rules for Harbour CTF"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  expect(await screen.findByText("No unsaved changes", {}, PATIENT)).toBeTruthy();
  expect(sessionStorage.getItem("organize form rules")).toBeNull();
});

test("a page is created, another removed, and one from files is read-only", async () => {
  const { user } = open("/organize/event?tab=texts&page=*");
  await user.type(await field("URL slug"), "about");
  expect(await screen.findByText("Another page already uses this slug.")).toBeTruthy();
  await user.type(await field("URL slug"), "-us");
  await user.type(await field("Content"), "Us");
  await user.selectOptions(await field("Link location"), "navigation");
  await user.click(await find("button", "Save page"));
  await find("dialog", "Save about-us");
  const page = { page: "about-us", text: "# Us", place: "navigation" };
  await sent({ action: "page.set", ...page, preview: true });
  await user.click(await find("button", "Close"));
  await user.click(await find("link", "About"));
  await user.click(await find("button", "Remove page"));
  await find("dialog", "Remove About");
  await sent({ action: "page.remove", page: "about", preview: true });
  await user.click(await find("button", "Close"));
  await user.click(await find("link", "Questions"));
  expect(await screen.findByText(/^Set in the event folder/, {}, PATIENT)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Save page" })).toBeNull();
});

test("branding accepts sponsors and colors; file settings are read-only", async () => {
  const { user } = open("/organize/event?tab=brand");
  expect(await field("Tagline")).toHaveProperty("readOnly", true);
  const accent = await field("Accent color");
  await user.clear(accent);
  await user.type(accent, "#00aa55");
  await user.click(await find("button", "Add sponsor"));
  await user.type(await field("Sponsor 1 name"), "Harbour");
  await user.click(await find("button", "Save branding"));
  await find("dialog", "Save Branding");
  const values = { accent: "#00aa55", sponsors: [{ name: "Harbour" }] };
  await sent({ action: "brand.set", values, preview: true });
});

test("a saved reply is written on Messages, and inserted into an answer", async () => {
  server.replies["/organize/questions"] = [200, { questions: [QUESTION] }];
  const answers = [{ title: "Wi-Fi", text: "It is on the wall." }];
  server.replies["/organize/answers"] = [200, { answers }];
  const { user } = open("/organize/messages");
  await user.click(await find("button", /^Answer/));
  const sheet = within(await find("dialog", "Answer Otters"));
  await user.type(sheet.getByLabelText("Text"), "Hello!");
  await user.selectOptions(await sheet.findByLabelText("Insert a saved reply"), "Wi-Fi");
  const text = "Hello!\n\nIt is on the wall.";
  expect(sheet.getByLabelText("Text")).toHaveProperty("value", text);
  await sent({ action: "question.answer", question: 5, text, preview: true });
  await user.click(sheet.getByRole("button", { name: "Close" }));
  await user.click(await find("link", "Saved replies"));
  await user.click(await find("button", "Add reply"));
  await user.type(await field("Reply 2 title"), "Rules");
  const save = await find("button", "Save replies");
  expect(save.getAttribute("aria-disabled")).toBe("true");
  await user.type(await field("Reply 2 text"), "See the rules.");
  await user.click(save);
  await find("dialog", "Update Saved replies");
  const both = [...answers, { title: "Rules", text: "See the rules." }];
  await sent({ action: "answers.set", answers: both, preview: true });
});

test("the students' checkbox label has the signup's default as placeholder", async () => {
  server.info.studentLabel = null;
  const { unmount } = open("/signup");
  const box = await screen.findByRole("checkbox", { name: /polito students/ }, PATIENT);
  expect(box).toBeTruthy();
  unmount();
  open("/organize/event?tab=settings");
  const field = await screen.findByLabelText(/^Student checkbox label/, {}, PATIENT);
  const hint = document.getElementById(field.getAttribute("aria-describedby") ?? "");
  expect(hint?.textContent).toMatch(/polito students/);
});
