/** The Event page: the timeline, results and live edits. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { clockTime } from "../../../domain/zoned";
import { callsTo, open, PATIENT, type Reply, server } from "../../../fake-server";
import { acted, OVERVIEW, OWNERS_ACTIONS, signedIn, WEB } from "../fake-server";
import { MINUTE_MS } from "./line";

const HOUR_MS = 60 * MINUTE_MS;
const NOW = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const TIMES = { start: NOW - HOUR_MS, freeze: NOW + HOUR_MS, end: NOW + 2 * HOUR_MS };

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const actions = () => callsTo("/organize/actions").filter(({ body }) => body !== null);

beforeEach(() => {
  signedIn();
  server.info.timezone = "America/New_York";
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, ...TIMES, isFrozen: false }];
  const timed = { ...WEB, state: "timed", releasesAt: NOW + HOUR_MS / 2 };
  const challenges = [timed, { ...timed, id: "b", challengeName: "Boats" }];
  server.replies["/organize/challenges"] = [200, { challenges }];
});

test("without a freeze there is no mention of a reveal", async () => {
  open("/organize/event");
  await find("slider", "Freeze");
  expect(screen.queryByText(/nothing to reveal|not frozen/)).toBeNull();
});

test("a handle moves its time, and the dialog contains only moved times", async () => {
  const { user } = open("/organize/event");
  const freeze = await find("slider", "Freeze");
  const later = TIMES.freeze + 7 * MINUTE_MS;
  fireEvent.change(freeze, { target: { value: String(later / MINUTE_MS) } });
  expect(screen.getByLabelText("Freeze", { selector: "[type=datetime-local]" })).toHaveProperty(
    "value",
    clockTime(later, "America/New_York"),
  );
  await user.click(screen.getByRole("button", { name: "Save these times…" }));
  await find("dialog", "Change the times of Harbour CTF");
  const at = new Date(later).toISOString();
  await waitFor(() => expect(actions().at(-1)?.body).toMatchObject({ freeze: at }), PATIENT);
  expect(actions().at(-1)?.body).not.toHaveProperty("end");
});

test("times moved on the timeline have one button to apply them", async () => {
  const { user } = open("/organize/event");
  const others = /^Change times/;
  expect(await find("button", others)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Save these times…" })).toBeNull();
  const end = screen.getByLabelText("End", { selector: "[type=datetime-local]" });
  fireEvent.change(end, { target: { value: "2031-07-04T18:00" } });
  expect(screen.getByRole("button", { name: "Save these times…" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: others })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Reset all" }));
  expect(screen.getByRole("button", { name: others })).toBeTruthy();
});

test("times are entered in the event's time zone, which the page names", async () => {
  const { user } = open("/organize/event");
  const end = await screen.findByLabelText("End", { selector: "[type=datetime-local]" }, PATIENT);
  fireEvent.change(end, { target: { value: "2031-07-04T18:00" } });
  expect(
    screen.getByText(/^= Fri, 4 Jul 2031, 18:00 .*; on this device Fri, 4 Jul 2031, 22:00 UTC/),
  ).toBeTruthy();
  expect(screen.getByText(/the event's time zone, America\/New_York/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save these times…" }));
  const at = "2031-07-04T22:00:00.000Z";
  await waitFor(() => expect(actions().at(-1)?.body).toMatchObject({ end: at }), PATIENT);
});

test("the times dialog reports no change, and sends no request", async () => {
  const { user } = open("/organize/event");
  await user.click(await find("button", /^Change times/));
  const dialog = within(await find("dialog", "Change the times of Harbour CTF"));
  expect(await dialog.findByText("Nothing to change.")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: /^Change the times of/ }));
  const end = dialog.getByLabelText("End");
  fireEvent.change(end, { target: { value: "2031-07-04T18:00" } });
  expect(dialog.queryByText("Nothing to change.")).toBeNull();
  await waitFor(() => expect(actions().length).toBeGreaterThan(0), PATIENT);
  expect(actions()[0]?.body).toHaveProperty("end");
});

test("the times dialog also uses the event's time zone", async () => {
  const { user } = open("/organize/event");
  await user.click(await find("button", /^Change times/));
  const dialog = await find("dialog", "Change the times of Harbour CTF");
  const end = within(dialog).getByLabelText("End");
  expect(end).toHaveProperty("value", clockTime(TIMES.end, "America/New_York"));
  fireEvent.change(end, { target: { value: "2031-07-04T18:00" } });
  const at = "2031-07-04T22:00:00.000Z";
  await waitFor(() => expect(actions().at(-1)?.body).toMatchObject({ end: at }), PATIENT);
  expect(actions().at(-1)?.body).not.toHaveProperty("start");
});

describe("a later end", () => {
  const LATER = /^Extend by 15 min/;
  const overview = (more: Record<string, unknown> = {}) => {
    const now = { ...TIMES, isFrozen: false, now: NOW, status: "running", ...more };
    server.replies["/organize/overview"] = [200, { ...OVERVIEW, ...now }];
  };
  const lines = async () => {
    const list = await find("list", "Changes");
    return within(list)
      .getAllByRole("listitem")
      .map((line) => line.textContent ?? "");
  };
  test("moves the freeze too; the dialog and its button name the changes", async () => {
    overview();
    const { user } = open("/organize/event");
    await user.click(await find("button", LATER));
    const [start, freeze, end] = await lines();
    expect(start).toMatch(/^Start .* \(unchanged\)$/);
    expect(freeze).toMatch(/^Freeze .+ → .+$/);
    expect(end).toMatch(/^End .+ → .+$/);
    const later = (ms: number) => new Date(ms + 15 * MINUTE_MS).toISOString();
    const times = { freeze: later(TIMES.freeze), end: later(TIMES.end) };
    await waitFor(() => expect(actions().at(-1)?.body).toMatchObject(times), PATIENT);
    expect(await find("button", /^Freeze .+ → .+, End .+ → .+/)).toBeTruthy();
    expect(screen.queryByText(/resumes and runs/)).toBeNull();
  });
  test("can move only the end", async () => {
    overview();
    const { user } = open("/organize/event");
    await user.click(await find("button", "More ways to extend"));
    await user.click(await find("menuitem", "Extend only the end by 15 min"));
    expect((await lines())[1]).toMatch(/^Freeze .* \(unchanged\)$/);
    await waitFor(() => expect(actions().at(-1)?.body).toHaveProperty("end"), PATIENT);
    expect(actions().at(-1)?.body).not.toHaveProperty("freeze");
  });
  test("is not offered after the reveal; the dialog warns that the event runs again", async () => {
    const end = NOW - MINUTE_MS;
    overview({ freeze: NOW - HOUR_MS / 2, end, status: "ended", isRevealed: true });
    const { user } = open("/organize/event");
    await user.click(await find("button", /^Change times/));
    expect(screen.queryByRole("button", { name: LATER })).toBeNull();
    const dialog = within(await find("dialog", /^Change the times of/));
    expect(await dialog.findByText(/^The scoreboard has been revealed,/, {}, PATIENT)).toBeTruthy();
    const field = dialog.getByLabelText("End");
    const phases = { endsAtOnce: false, showsHidden: false, runsAgainUntil: NOW + HOUR_MS };
    server.replies["/organize/actions"] = acted({ phases });
    fireEvent.change(field, { target: { value: clockTime(NOW + HOUR_MS, "America/New_York") } });
    expect(await screen.findByText(/^The event resumes and runs until /, {}, PATIENT)).toBeTruthy();
  });
});

test("a reveal before the end warns that the scoreboard is not final", async () => {
  const frozen = { ...TIMES, freeze: NOW - HOUR_MS / 2, now: NOW, status: "frozen" };
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, ...frozen, isFrozen: true }];
  const { user, unmount } = open("/organize/event?tab=results");
  await user.click(await find("button", /^Reveal/));
  const early = within(await find("dialog", "Reveal the scoreboard of Harbour CTF"));
  const said = await early.findByText(
    /^The event is still running, for 02:00:00, until /,
    {},
    PATIENT,
  );
  expect(said.textContent).toMatch(/ends the freeze permanently.*not final/);
  expect(early.queryByText(/sees the final scoreboard/)).toBeNull();
  unmount();
  const over = { ...frozen, end: NOW - MINUTE_MS, status: "ended" };
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, ...over, isFrozen: true }];
  const again = open("/organize/event?tab=results");
  await again.user.click(await find("button", /^Reveal/));
  const late = within(await find("dialog", "Reveal the scoreboard of Harbour CTF"));
  expect(await late.findByText(/^Everyone sees the final scoreboard\./, {}, PATIENT)).toBeTruthy();
  expect(late.queryByText(/still running/)).toBeNull();
});

test("the event cannot be paused after the end", async () => {
  const over = { ...TIMES, end: NOW - MINUTE_MS, freeze: null, isFrozen: false };
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, ...over, status: "ended" }];
  open("/organize/event");
  expect(await find("button", /^New notice/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Pause/ })).toBeNull();
});

test("challenges released together share a handle, and move together", async () => {
  const { user } = open("/organize/event");
  const wave = await find("slider", "Release of Crumbs, Boats");
  const later = NOW + HOUR_MS;
  fireEvent.change(wave, { target: { value: String(later / MINUTE_MS) } });
  await user.click(screen.getByRole("button", { name: /^Release of Crumbs, Boats: / }));
  await find("dialog", "Release 2 challenges");
  const challenges = ["web", "b"];
  await waitFor(
    () =>
      expect(actions().at(-1)?.body).toMatchObject({
        challenges,
        at: new Date(later).toISOString(),
      }),
    PATIENT,
  );
});

test("invalid times are reported during typing", async () => {
  open("/organize/event");
  const end = await screen.findByLabelText("End", { selector: "[type=datetime-local]" }, PATIENT);
  fireEvent.change(end, {
    target: { value: clockTime(TIMES.start - HOUR_MS, "America/New_York") },
  });
  expect(await screen.findByText("The end must be after the start.")).toBeTruthy();
  const button = screen.getByRole("button", { name: "Save these times…" });
  expect(button).toHaveProperty("disabled", true);
});

test("the file for CTFtime is checked before it is used", async () => {
  const standings = [{ pos: 1, team: "<b>Otters</b>", score: 300 }];
  server.replies["/ctftime"] = [200, { tasks: ["a"], standings }];
  open("/organize/event?tab=results");
  expect(await screen.findByText(/^The event is still running/, {}, PATIENT)).toBeTruthy();
  expect(screen.getByText("<b>Otters</b>")).toBeTruthy();
  expect(screen.getByRole("link", { name: "ctftime.json" })).toBeTruthy();
  // The reveal puts another team first, so the file must be fetched again.
  server.replies["/ctftime"] = [200, { tasks: ["a"], standings: [{ ...standings[0], team: "B" }] }];
  const revealed = { ...OVERVIEW, ...TIMES, status: "ended", isFrozen: false, isRevealed: true };
  server.replies["/organize/overview"] = [200, revealed];
  expect(await screen.findByText("B", {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText("<b>Otters</b>")).toBeNull();
});

test("before the start, the file for CTFtime does not say that the event runs", async () => {
  server.replies["/ctftime"] = [200, { tasks: [], standings: [] }];
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, ...TIMES, status: "not_started" }];
  open("/organize/event?tab=results");
  expect(await screen.findByText("The event has not started.", {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText(/still running/)).toBeNull();
});

test("team flags are offered only for a challenge that has some", async () => {
  const source = (flags: readonly unknown[]): Reply => [
    200,
    { text: "", fields: { flags }, files: [] },
  ];
  server.replies["/organize/challenges/web"] = source(["flag{one}"]);
  server.replies["/organize/challenges/b"] = source([{ type: "team", content: "flag{[TEAM]}" }]);
  const { user } = open("/organize/event?tab=results");
  const name = "Download Team flags as XLSX";
  expect(
    await screen.findByText("This challenge has no per-team flags.", {}, PATIENT),
  ).toBeTruthy();
  expect(screen.queryByRole("link", { name })).toBeNull();
  await user.selectOptions(screen.getByLabelText("Challenge of the team flags"), "b");
  const link = await find("link", name);
  expect(link.getAttribute("href")).toContain("team-flags?challenge=b&");
});

test("winners and email addresses are shown on request, if permitted", async () => {
  signedIn([...OWNERS_ACTIONS, "list.export_addresses"]);
  server.replies["/organize/exports/winners"] = [
    200,
    [{ place: 1, team: "Otters", email: "otters@example.org" }],
  ];
  const { user } = open("/organize/event?tab=results");
  await user.click(await find("button", "Show winners and email addresses"));
  expect(await screen.findByText(/otters@example.org/, {}, PATIENT)).toBeTruthy();
});

test("winners and their files follow the chosen number and the students checkbox", async () => {
  signedIn([...OWNERS_ACTIONS, "list.export_addresses", "team.address"]);
  server.replies["/organize/exports/winners"] = [200, []];
  const { user } = open("/organize/event?tab=results");
  const top = await screen.findByLabelText("Number of teams", {}, PATIENT);
  await user.clear(top);
  await user.type(top, "5");
  await user.click(screen.getByRole("checkbox", { name: "Student teams only" }));
  const card = within(top.closest("section") ?? document.body);
  const link = card.getByRole("link", { name: "Download Winners as XLSX" });
  const file = link.getAttribute("href");
  expect(file).toMatch(/exports\/winners\?top=5&students=true&format=xlsx$/);
  await user.click(screen.getByRole("button", { name: "Show winners and email addresses" }));
  await waitFor(() => {
    const { search } = callsTo("/organize/exports/winners").at(-1) ?? {};
    expect(search).toBe("?top=5&students=true&addresses=true");
  }, PATIENT);
});

test("files can be limited to a division", async () => {
  const division = { id: "human", name: "No AI", group: "AI use", join: "open", domains: [] };
  const one = { ...division, private: true, student: false, teams: 7 };
  server.replies["/organize/divisions"] = [200, { divisions: [one] }];
  const { user } = open("/organize/event?tab=results");
  const choices = await screen.findAllByRole("combobox", { name: "Division" }, PATIENT);
  for (const choice of choices) await user.selectOptions(choice, "No AI (private)");
  const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(hrefOf("Download Standings as XLSX")).toMatch(/standings\?division=human&format=xlsx$/);
  expect(hrefOf("Download Metrics as XLSX")).toMatch(/overview\?format=xlsx$/);
  expect(hrefOf("Download Winners as XLSX")).toMatch(/winners\?top=3&division=human&format=xlsx$/);
});

test("challenge sources need a permission", async () => {
  signedIn(OWNERS_ACTIONS.filter((action) => action !== "challenge.read"));
  open("/organize/event?tab=files");
  expect((await find("link", "Times")).getAttribute("aria-current")).toBe("page");
  expect(screen.queryByRole("link", { name: "Files" })).toBeNull();
});

test("live edits are shown line by line, also in the public view", async () => {
  const changed = { ...WEB, changedBy: "Bob", changedAt: NOW };
  server.replies["/organize/challenges"] = () => {
    const isPublic = callsTo("/organize/challenges").at(-1)?.search.includes("view=");
    return [200, { challenges: isPublic ? [] : [changed] }];
  };
  const [applied, text] = ["name: Crumbs\nvalue: 100\n", "name: Crumbs\nvalue: 150\n"];
  const source = { challenge: "web", path: "challenges/web/challenge.yml", applied, text };
  server.replies["/organize/challenges/web"] = [200, { ...source, fields: {}, files: [] }];
  const { user } = open("/organize/event?tab=files&view=public");
  await user.click(await find("button", "Show the changes of Crumbs"));
  const [came, went] = [await screen.findByText("value: 150", {}, PATIENT), "value: 100"];
  expect(came.tagName).toBe("INS");
  expect(within(came.closest("pre") ?? document.body).getByText(went).tagName).toBe("DEL");
});

const NAMED = {
  ...{ rules: null, rulesFromFiles: false, sections: {}, secrets: {}, fixed: {}, pages: [] },
  event: { name: "Harbour CTF", timezone: "UTC", flagFormat: "", reveal: "auto", ...TIMES },
};

test("event times that were edited live are listed with the live edits of files", async () => {
  signedIn([...OWNERS_ACTIONS, "settings.read"]);
  const event = { ...NAMED.event, timesChangedBy: "Ada", timesChangedAt: 1_800_000_000_000 };
  server.replies["/organize/settings"] = [200, { ...NAMED, event }];
  open("/organize/event?tab=files");
  const row = (await find("link", "Times of the event")).closest("tr");
  expect(within(row ?? document.body).getByText("Ada")).toBeTruthy();
  expect(screen.getByText("1 live edit")).toBeTruthy();
});

test("the reveal can wait for the ceremony, after a confirmation", async () => {
  signedIn([...OWNERS_ACTIONS, "settings.read", "event.name"]);
  server.replies["/organize/settings"] = [200, NAMED];
  const { user } = open("/organize/event");
  const modes = within(await find("group", "At the end"));
  expect(screen.queryByRole("button", { name: "Change reveal setting…" })).toBeNull();
  await user.click(modes.getByRole("radio", { name: "wait for the ceremony" }));
  await user.click(screen.getByRole("button", { name: "Change reveal setting…" }));
  const dialog = await find("dialog", "Change the reveal setting of Harbour CTF");
  expect(within(dialog).getByText(/reveal the final scoreboard → keep it frozen/)).toBeTruthy();
  await waitFor(() => expect(actions().at(-1)?.body).toMatchObject({ preview: true }), PATIENT);
  await user.click(await find("button", /^Change the reveal setting of Harbour CTF: /));
  await waitFor(() => expect(actions().at(-1)?.body).not.toHaveProperty("preview"), PATIENT);
  expect(actions().at(-1)?.body).toMatchObject({ action: "event.name", reveal: "manual" });
});

test("practice after the end is turned on after a preview", async () => {
  signedIn([...OWNERS_ACTIONS, "settings.read", "event.name"]);
  const event = { ...NAMED.event, practice: false };
  server.replies["/organize/settings"] = [200, { ...NAMED, event }];
  const { user } = open("/organize/event");
  await user.click(await find("button", "Turn practice on…"));
  const dialog = await find("dialog", "Change practice after the end of Harbour CTF");
  expect(within(dialog).getByText("Practice after the end: off → on")).toBeTruthy();
  await waitFor(() => expect(actions().at(-1)?.body).toMatchObject({ preview: true }), PATIENT);
  await user.click(await find("button", /^Change practice after the end of Harbour CTF: /));
  await waitFor(() => expect(actions().at(-1)?.body).not.toHaveProperty("preview"), PATIENT);
  expect(actions().at(-1)?.body).toMatchObject({ action: "event.name", practice: true });
});

test("without permission to name the event the reveal mode is not offered", async () => {
  server.replies["/organize/settings"] = [200, NAMED];
  open("/organize/event");
  await find("slider", "Freeze");
  expect(screen.queryByRole("group", { name: "At the end" })).toBeNull();
});

test("a role that cannot move times sees no drag hint, but the time zone", async () => {
  signedIn(
    OWNERS_ACTIONS.filter((action) => action !== "event.times" && action !== "challenge.release"),
  );
  open("/organize/event");
  const shown = "Times are in the event's time zone, America/New_York.";
  expect(await screen.findByText(shown, {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText(/^Drag a point/)).toBeNull();
});

test("the age of the last backup is shown to owners", async () => {
  signedIn([...OWNERS_ACTIONS, "event.backup"]);
  const health = { lastBackupAt: Date.UTC(2031, 6, 4, 22) };
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, ...TIMES, health }];
  open("/organize/event");
  expect(await screen.findByText(/^Last backup: Fri, 4 Jul 2031, 18:00/, {}, PATIENT)).toBeTruthy();
});

test("the Organizers tab needs a permission", async () => {
  const { unmount } = open("/organize/event");
  const tabs = await find("navigation", "Event sections");
  expect(within(tabs).queryByRole("link", { name: "Organizers" })).toBeNull();
  unmount();
  signedIn([...OWNERS_ACTIONS, "organizer.list"]);
  open("/organize/event");
  const all = await find("navigation", "Event sections");
  expect(within(all).getByRole("link", { name: "Organizers" })).toBeTruthy();
});
