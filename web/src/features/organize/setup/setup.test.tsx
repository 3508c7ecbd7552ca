/** The first run: what its form asks for, and which actions it does. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../stand-in";
import { acted, OWNERS_ACTIONS, signedIn } from "../stand-in";

const EMPTY = {
  ...{ event: null, rules: null, rulesFromFiles: false, secrets: {}, fixed: {}, pages: [] },
  sections: { mail: {}, captcha: { provider: "off" } },
};

const actions = () => callsTo("/organize/actions").filter(({ body }) => body !== null);

const ORGANIZERS_ACTIONS = [...OWNERS_ACTIONS, "settings.read", "event.name", "event.rules"];

beforeEach(() => {
  signedIn([...ORGANIZERS_ACTIONS, "settings.set"]);
  server.replies["/organize/settings"] = [200, EMPTY];
});

test("the first run asks whether the final scoreboard waits for the ceremony", async () => {
  const { user } = open("/organize/setup");
  await user.type(await screen.findByLabelText("Name of the event", {}, PATIENT), "Cup");
  await user.selectOptions(screen.getByLabelText("At the end"), "manual");
  expect(screen.getByText(/until an organizer presses Reveal/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  await waitFor(
    () => expect(actions()[0]?.body).toMatchObject({ action: "event.name", reveal: "manual" }),
    PATIENT,
  );
});

test("the first run reads and shows times in the zone that its form names", async () => {
  const { user } = open("/organize/setup");
  const zone = await screen.findByLabelText("Time zone", {}, PATIENT);
  fireEvent.change(zone, { target: { value: "Berlin" } });
  expect(screen.getByText("There is no such zone. Names are like Europe/Berlin.")).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Start"), { target: { value: "2031-12-04T18:00" } });
  fireEvent.change(screen.getByLabelText("End"), { target: { value: "2031-12-05T18:00" } });
  fireEvent.change(zone, { target: { value: "Europe/Berlin" } });
  expect(screen.getByText(/^= Thu, 4 Dec 2031, 18:00 CET; .* 17:00 UTC/)).toBeTruthy();
  await user.type(screen.getByLabelText("Name of the event"), "Cup");
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  const [start, end] = ["2031-12-04T17:00:00.000Z", "2031-12-05T17:00:00.000Z"];
  await waitFor(() => expect(actions().at(-1)?.body).toMatchObject({ start, end }), PATIENT);
  expect(actions()[0]?.body).toMatchObject({ action: "event.name", timezone: "Europe/Berlin" });
});

test("times of the event are shown in its zone and not sent again", async () => {
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

test("one campus network lifts the limit of its signups and is spared the others", async () => {
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const sections = { ...EMPTY.sections, limits: { signups_per_network_per_hour: 20 } };
  server.replies["/organize/settings"] = [
    200,
    { ...EMPTY, sections, event: { ...event, ...times } },
  ];
  const { user } = open("/organize/setup?step=captcha");
  const tick = await screen.findByRole("checkbox", { name: /share one network/ }, PATIENT);
  expect(tick).toHaveProperty("checked", false);
  await user.click(tick);
  await user.type(screen.getByLabelText("Public address of that network"), "192.0.2.7, 10.0.0.0/8");
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  const networks = ["192.0.2.7", "10.0.0.0/8"];
  const values = { signups_per_network_per_hour: 0, trusted_networks: networks };
  await waitFor(
    () => expect(actions().at(-1)?.body).toMatchObject({ section: "limits", values }),
    PATIENT,
  );
});

test("a choice that files make is shown and cannot be changed", async () => {
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const fixed = { mail: ["transport"], captcha: ["provider"] };
  const settings = { ...EMPTY, fixed, event: { ...event, ...times } };
  server.replies["/organize/settings"] = [200, settings];
  const labels = { mail: "How mail is sent", captcha: "Captcha" };
  for (const [step, label] of Object.entries(labels)) {
    const { unmount } = open(`/organize/setup?step=${step}`);
    const choice = await screen.findByLabelText(label, {}, PATIENT);
    expect(choice).toHaveProperty("disabled", true);
    expect(screen.getByText(/event\.toml/)).toBeTruthy();
    unmount();
  }
});

test("who may not set mail and captcha is not led to these steps", async () => {
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
      .map(({ textContent }) => textContent?.replace(/ ✓done$/, ""));
  const theirs = ["Name and times", "Rules", "First challenge", "Start"];
  expect(await screen.findByText(/^3 of 4 steps are done/, {}, PATIENT)).toBeTruthy();
  expect(named(progress)).toEqual(theirs);
  expect(screen.getByRole("heading", { level: 2, name: "Start" })).toBeTruthy();
  unmount();
  open("/organize/event");
  const title = await screen.findByRole("heading", { name: "Set the event up" }, PATIENT);
  expect(named(title.parentElement ?? document.body)).toEqual(theirs);
});

test("starting the event now is done by the sheet of its times, after a preview", async () => {
  const event = { name: "Cup", timezone: "UTC", flagFormat: "", reveal: "auto" };
  const times = { start: 2e12, end: 2e12 + 3_600_000, freeze: null };
  const settings = { ...EMPTY, rules: "Be kind.", event: { ...event, ...times } };
  server.replies["/organize/settings"] = [200, settings];
  const phases = { startsAtOnce: true, endsAtOnce: false, showsHidden: false };
  server.replies["/organize/actions"] = acted({ action: "event.times", phases });
  const { user } = open("/organize/setup?step=start");
  await user.click(await screen.findByRole("button", { name: "Start the event now" }, PATIENT));
  const sheet = within(await screen.findByRole("dialog", { name: "Move the times of Cup" }));
  expect(await sheet.findByText(/^The event starts at once:/, {}, PATIENT)).toBeTruthy();
  expect(actions().map(({ body }) => body)).toMatchObject([
    { action: "event.times", preview: true },
  ]);
  await user.click(sheet.getByRole("button", { name: /^Start .* → / }));
  const done = { start: expect.stringMatching(/Z$/), head: 3 };
  await waitFor(() => expect(actions().at(-1)?.body).toMatchObject(done), PATIENT);
});
