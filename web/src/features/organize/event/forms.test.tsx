/** The forms of the page Event and of the desk: what they show, keep, warn of and send. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../stand-in";
import { acted, isListOfActions, OWNERS_ACTIONS, signedIn } from "../stand-in";
// Loaded before a test's time begins.
import "./brand";
import "./settings";
import "./texts";

// The plain field is tested here; the other one needs a browser that draws.
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

test("a setting is changed by its sheet, which says how; what files set is shown", async () => {
  const { user } = open("/organize/event?tab=settings");
  const form = within(await find("form", "Registration"));
  expect(form.getByLabelText("Shortest password, in characters")).toHaveProperty("readOnly", true);
  expect(form.getByText("From the files: change it in event.toml.")).toBeTruthy();
  const save = form.getByRole("button", { name: "Save the settings" });
  expect(save.getAttribute("aria-disabled")).toBe("true");
  const people = form.getByLabelText("Most people whose names a team gives");
  await user.type(people, "21");
  expect(form.getByText("A whole number from 0 to 20")).toBeTruthy();
  expect(save.getAttribute("aria-disabled")).toBe("true");
  await user.clear(people);
  await user.click(form.getByLabelText("New teams may sign up"));
  await user.click(save);
  const sheet = within(await find("dialog", "Save Registration"));
  expect(sheet.getByText("New teams may sign up: yes → no")).toBeTruthy();
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

test("what a colleague changed meanwhile is said, and what was typed stays", async () => {
  const { user } = open("/organize/event?tab=settings");
  const days = await field(/^Days after the end/);
  await user.clear(days);
  await user.type(days, "7");
  const theirs = { ...SETTINGS.sections, privacy: { sightings_days: 14 } };
  server.replies["/organize/settings"] = [200, { ...SETTINGS, sections: theirs }];
  await user.click(within(await find("form", "Privacy")).getByRole("button", { name: /^Save/ }));
  const sheet = within(await find("dialog", "Save Privacy"));
  expect(await sheet.findByText(/Somebody else has changed this too/, {}, PATIENT)).toBeTruthy();
  expect(days).toHaveProperty("value", "7");
  expect(await sheet.findByText(/: 14 → 7$/, {}, PATIENT)).toBeTruthy();
});

test("a role that may not set them sees the settings", async () => {
  signedIn(ACTIONS.filter((action) => action !== "settings.set"));
  open("/organize/event?tab=settings");
  const form = within(await find("form", "Registration"));
  expect(form.getByText(/Owners change these/)).toBeTruthy();
  expect(form.getByLabelText("New teams may sign up")).toHaveProperty("disabled", true);
  expect(form.queryByRole("button", { name: "Save the settings" })).toBeNull();
});

test("the rules are shown as players will see them, and a draft outlives its page", async () => {
  const first = open("/organize/event?tab=texts");
  const text = await field("Text");
  expect(await screen.findByText("rendered", {}, PATIENT)).toBeTruthy();
  await first.user.type(text, " Play.");
  first.unmount();
  const { user } = open("/organize/event?tab=texts");
  await waitFor(
    async () => expect(await field("Text")).toHaveProperty("value", "Be *kind*. Play."),
    PATIENT,
  );
  const body = { text: "Be *kind*. Play." };
  await waitFor(
    () => expect(callsTo("/organize/texts/preview").at(-1)?.body).toEqual(body),
    PATIENT,
  );
  await user.click(await find("button", "Save the rules"));
  await find("dialog", "Save the rules of Harbour CTF");
  await sent({ action: "event.rules", ...body, preview: true });
  server.replies["/organize/actions"] = () => {
    if (isListOfActions()) return [200, { actions: [] }];
    server.replies["/organize/settings"] = [200, { ...SETTINGS, rules: body.text }];
    return acted({ action: "event.rules" });
  };
  await user.click(await find("button", "Save the rules of Harbour CTF"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  await waitFor(() => expect(screen.queryByText(/^Not saved/)).toBeNull(), PATIENT);
  expect(sessionStorage.getItem("organize form rules")).toBeNull();
});

test("a page is made, one that is there removed, and one of files is changed there", async () => {
  const { user } = open("/organize/event?tab=texts&page=*");
  await user.type(await field("Name in the address"), "about");
  expect(await screen.findByText("Another page has this name.")).toBeTruthy();
  await user.type(await field("Name in the address"), "-us");
  await user.type(await field("Text"), "Us");
  await user.selectOptions(await field("Where its link stands"), "navigation");
  await user.click(await find("button", "Save the page"));
  await find("dialog", "Save about-us");
  const page = { page: "about-us", text: "# Us", place: "navigation" };
  await sent({ action: "page.set", ...page, preview: true });
  await user.click(await find("button", "Close"));
  await user.click(await find("link", "About"));
  await user.click(await find("button", "Remove the page"));
  await find("dialog", "Remove About");
  await sent({ action: "page.remove", page: "about", preview: true });
  await user.click(await find("button", "Close"));
  await user.click(await find("link", "Questions"));
  expect(await screen.findByText(/^From the files/, {}, PATIENT)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Save the page" })).toBeNull();
});

test("the brand takes sponsors and colours; what files set is not to be changed", async () => {
  const { user } = open("/organize/event?tab=brand");
  expect(await field("Line under the name of the event")).toHaveProperty("readOnly", true);
  const accent = await field("Accent colour");
  await user.clear(accent);
  await user.type(accent, "#00aa55");
  await user.click(await find("button", "Add a sponsor"));
  await user.type(await field("Name of sponsor 1"), "Harbour");
  await user.click(await find("button", "Save the brand"));
  await find("dialog", "Save Brand");
  const values = { accent: "#00aa55", sponsors: [{ name: "Harbour" }] };
  await sent({ action: "brand.set", values, preview: true });
});

test("a ready answer is written on the desk, and put into the answer of a question", async () => {
  server.replies["/organize/questions"] = [200, { questions: [QUESTION] }];
  const answers = [{ title: "Wi-Fi", text: "It is on the wall." }];
  server.replies["/organize/answers"] = [200, { answers }];
  const { user } = open("/organize/desk");
  await user.click(await find("button", /^Answer/));
  const sheet = within(await find("dialog", "Answer Otters"));
  await user.type(sheet.getByLabelText("Text"), "Hello!");
  await user.selectOptions(await sheet.findByLabelText("Insert a ready answer"), "Wi-Fi");
  const text = "Hello!\n\nIt is on the wall.";
  expect(sheet.getByLabelText("Text")).toHaveProperty("value", text);
  await sent({ action: "question.answer", question: 5, text, preview: true });
  await user.click(sheet.getByRole("button", { name: "Close" }));
  await user.click(await find("button", "Add an answer"));
  await user.type(await field("Title of answer 2"), "Rules");
  const save = await find("button", "Save the ready answers");
  expect(save.getAttribute("aria-disabled")).toBe("true");
  await user.type(await field("Text of answer 2"), "See the rules.");
  await user.click(save);
  await find("dialog", "Save Ready answers");
  const both = [...answers, { title: "Rules", text: "See the rules." }];
  await sent({ action: "answers.set", answers: both, preview: true });
});

test("the label of the students' checkbox says what the signup shows without one", async () => {
  server.info.studentLabel = null;
  const { unmount } = open("/signup");
  const box = await screen.findByRole("checkbox", { name: /polito students/ }, PATIENT);
  expect(box).toBeTruthy();
  unmount();
  open("/organize/event?tab=settings");
  const field = await screen.findByLabelText(/^Label of the students' checkbox/, {}, PATIENT);
  const hint = document.getElementById(field.getAttribute("aria-describedby") ?? "");
  expect(hint?.textContent).toMatch(/polito students/);
});
