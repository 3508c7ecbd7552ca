/** The action dialog: preview, reason, conflicts, network errors, notices and undo. */
import { fireEvent, renderHook, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, type Reply, say, server } from "../../../fake-server";
import {
  acted,
  BANNED,
  chooseAction,
  isListOfActions,
  needsFactor,
  OWNERS_ACTIONS,
  onceThen,
  signedIn,
  WEB,
} from "../fake-server";
import { useConfirm } from "./confirm";
import type { Order, Values } from "./order";

beforeEach(() => signedIn());

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const sent = () => callsTo("/organize/actions").flatMap(({ body }) => (body ? [body] : []));

/** Opens the dialog that bans Otters, and waits for its preview. */
async function ban() {
  const { user } = open("/organize/teams?team=Otters");
  await user.click(await find("button", /^Ban/));
  const sheet = await find("dialog", "Ban Otters");
  await within(sheet).findByRole("button", { name: /: 1 team moves up one rank$/ }, PATIENT);
  return { user, sheet, reason: within(sheet).getByLabelText("Reason") };
}

test("the button states the effect; without a reason nothing is sent", async () => {
  const { user, sheet } = await ban();
  expect(within(sheet).getByText("<b>Hostile</b>")).toBeTruthy();
  const [first, second] = within(sheet).getAllByRole("row").slice(1);
  expect(first?.textContent, "the banned team").toMatch(/^Otters#1 → leaves the scoreboard/);
  expect(second?.textContent).toMatch(/^<b>Hostile<\/b>#2 → #1▲/);
  await user.click(within(sheet).getByRole("button", { name: /^Ban Otters: 1 team moves up/ }));
  expect(await within(sheet).findByText("Enter a reason.")).toBeTruthy();
  expect(sent()).toEqual([{ action: "team.ban", team: "Otters", preview: true }]);
});

test("Ctrl+Enter performs the previewed action; the toast and u undo it", async () => {
  const { user, reason } = await ban();
  await user.type(reason, "shared flags{Control>}{Enter}{/Control}");
  expect(await screen.findByText('Ada banned "Otters".', {}, PATIENT)).toBeTruthy();
  const done = { action: "team.ban", team: "Otters", reason: "shared flags", head: 3 };
  expect(sent().at(-1)).toEqual(done);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  server.replies["/organize/actions/7/undo"] = acted({ id: 8, undo: { possible: false } });
  await user.keyboard("u");
  const undo = await find("dialog", 'Undo: Ada banned "Otters".');
  await waitFor(() => expect(callsTo("/organize/actions/7/undo")).toHaveLength(1));
  const name = /^Undo: Ada banned "Otters": 1 team moves up one rank/;
  await user.click(await within(undo).findByRole("button", { name }));
  await waitFor(() => expect(callsTo("/organize/actions/7/undo")).toHaveLength(2));
  const body = { reason: "Made by mistake", head: 3 };
  expect(callsTo("/organize/actions/7/undo").at(-1)?.body).toEqual(body);
});

test("rank changes that cannot be computed are omitted, and the action is performed", async () => {
  const { user } = open("/organize/teams?team=Otters");
  server.replies["/organize/actions"] = acted({ effect: null });
  await user.click(await find("button", /^Ban/));
  const sheet = await find("dialog", "Ban Otters");
  expect(
    await within(sheet).findByText("The rank changes could not be calculated.", {}, PATIENT),
  ).toBeTruthy();
  expect(within(sheet).getByRole("button", { name: "Ban Otters" })).toBeTruthy();
  await user.type(within(sheet).getByLabelText("Reason"), "why{Control>}{Enter}{/Control}");
  expect(await screen.findByText('Ada banned "Otters".', {}, PATIENT)).toBeTruthy();
});

test("with nothing to change, the button does not look usable", async () => {
  const { user } = open("/organize/teams?team=Otters");
  const nothing = { code: "nothing_to_change", message: "There is nothing to change." };
  server.replies["/organize/actions"] = [409, nothing];
  await user.click(await find("button", /^Ban/));
  const sheet = await find("dialog", "Ban Otters");
  expect(await within(sheet).findByText("Nothing to change.", {}, PATIENT)).toBeTruthy();
  const button = within(sheet).getByRole("button", { name: "Ban Otters" });
  expect(button.getAttribute("aria-disabled")).toBe("true");
});

/** Opens the dialog that credits a solve to Otters, and fills it in. */
async function count() {
  signedIn([...OWNERS_ACTIONS, "solve.count"]);
  const { user } = open("/organize/teams?team=Otters");
  await chooseAction(user, "Otters", /^Credit a solve/);
  const sheet = await find("dialog", "Credit a solve to Otters");
  await within(sheet).findByRole("option", { name: "Crumbs" }, PATIENT);
  await user.selectOptions(within(sheet).getByLabelText("Challenge"), "web");
  const time = within(sheet).getByLabelText("Time of the solve");
  fireEvent.change(time, { target: { value: "2026-11-28T12:03:20" } });
  return { user, sheet, time };
}

test("a solve is credited to the second, because the first blood depends on it", async () => {
  const { sheet, time } = await count();
  expect(time).toHaveProperty("step", "1");
  expect(time).toHaveProperty("value", "2026-11-28T12:03:20");
  expect(within(sheet).getByText(/12:03:20/)).toBeTruthy();
  const at = "2026-11-28T11:03:20.000Z";
  const preview = { action: "solve.count", team: "Otters", challenge: "web", at, preview: true };
  await waitFor(() => expect(sent().at(-1)).toEqual(preview), PATIENT);
});

test("a credited solve that takes a first blood is announced in the preview", async () => {
  const { sheet } = await count();
  const firstBloods = [{ challengeName: "Crumbs", from: "<b>Hostile</b>", to: "Otters" }];
  server.replies["/organize/actions"] = acted({ effect: { truth: [], public: [], firstBloods } });
  const said = "First blood of Crumbs moves from <b>Hostile</b> to Otters.";
  expect(await within(sheet).findByText(said, {}, PATIENT)).toBeTruthy();
  expect(within(sheet).getByRole("list", { name: "First bloods" })).toBeTruthy();
});

test("a conflicting action names its organizer, and the preview is repeated", async () => {
  const { user, reason } = await ban();
  const touched: Reply = [409, { code: "object_touched", message: "Touched." }];
  const list: Reply = [200, { actions: [{ ...BANNED, sentence: 'Grace hid "Otters".' }] }];
  server.replies["/organize/actions"] = () => {
    if (isListOfActions()) return list;
    const last = callsTo("/organize/actions").at(-1)?.body;
    return JSON.stringify(last).includes("preview") ? acted({ head: 9 }) : touched;
  };
  await user.type(reason, "why{Control>}{Enter}{/Control}");
  const said = 'Grace hid "Otters". Review and try again; your input is kept.';
  expect(await screen.findByText(said, {}, PATIENT)).toBeTruthy();
  server.replies["/organize/actions"] = acted();
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  expect(sent().at(-1)).toEqual({ action: "team.ban", team: "Otters", reason: "why", head: 9 });
});

test("reasons of recent actions are offered, and one is chosen by keyboard", async () => {
  const { user, reason } = await ban();
  const given = (id: number, action: string, reason: string) => ({ ...BANNED, id, action, reason });
  const actions = [given(3, "team.hide", "a test team"), given(2, "team.ban", "shared flags")];
  server.replies["/organize/actions"] = [200, { actions }];
  await user.click(reason);
  const offered = await find("listbox", "Recent reasons");
  const names = within(offered)
    .getAllByRole("option")
    .map(({ textContent }) => textContent);
  expect(names, "reasons of the same action first").toEqual(["shared flags", "a test team"]);
  await user.keyboard("{ArrowDown}{Enter}");
  expect(reason).toHaveProperty("value", "shared flags");
  expect(screen.getByRole("dialog"), "nothing is performed").toBeTruthy();
});

test("the reason survives a lost network and a closed dialog", async () => {
  const { user, reason, sheet } = await ban();
  server.replies["/organize/actions"] = () => {
    throw new TypeError("Failed to fetch");
  };
  await user.type(reason, "every word{Control>}{Enter}{/Control}");
  expect(await within(sheet).findByText(/connection failed/i, {}, PATIENT)).toBeTruthy();
  expect(reason).toHaveProperty("value", "every word");
  await user.click(within(sheet).getByRole("button", { name: "Close" }));
  server.replies["/organize/actions"] = acted();
  await user.click(await find("button", /^Ban/));
  const again = await find("dialog", "Ban Otters");
  expect(within(again).getByLabelText("Reason")).toHaveProperty("value", "every word");
  await user.click(within(again).getByRole("button", { name: /^Ban Otters/ }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  const drafts = Object.keys(sessionStorage).filter((key) => key.includes("team.ban"));
  expect(drafts, "the draft is gone").toEqual([]);
});

/** Idempotency keys of confirmed requests, without previews. */
const keys = () =>
  callsTo("/organize/actions")
    .filter(({ body }) => body && !JSON.stringify(body).includes("preview"))
    .map(({ headers }) => headers.get("Idempotency-Key"));

test("a retry after a lost network reuses the key, so that it is performed once", async () => {
  const { user, reason, sheet } = await ban();
  server.replies["/organize/actions"] = () => {
    throw new TypeError("Failed to fetch");
  };
  await user.type(reason, "why");
  const button = within(sheet).getByRole("button", { name: /^Ban Otters/ });
  for (const attempt of [1, 2]) {
    await user.click(button);
    await waitFor(() => expect(keys()).toHaveLength(attempt), PATIENT);
    await within(sheet).findByText(/connection failed/i, {}, PATIENT);
  }
  await user.type(reason, ", really");
  server.replies["/organize/actions"] = acted();
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  const [first, second, edited] = keys();
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
  expect(edited).not.toBe(first);
  const previews = callsTo("/organize/actions").filter(({ body }) =>
    JSON.stringify(body).includes("preview"),
  );
  expect(previews.map(({ headers }) => headers.get("Idempotency-Key"))).toEqual([null]);
});

test("a retry sends the same notice, although its end depends on the time", async () => {
  const { result } = renderHook(() => useConfirm());
  const order: Order = { action: "notice.post", fixed: {} };
  const values: Values = { title: "Lunch", text: "Now.", urgent: true, until: "5" };
  server.replies["/organize/actions"] = () => {
    throw new TypeError("Failed to fetch");
  };
  await expect(result.current(order, values, {})).rejects.toThrow();
  server.replies["/organize/actions"] = acted();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await result.current(order, values, {});
  const [first, again] = sent();
  expect(again).toEqual(first);
  expect(new Set(keys()).size).toBe(1);
  // Repeating a completed action gets a new key.
  await result.current(order, values, {});
  expect(new Set(keys()).size).toBe(2);
});

test("a concurrent change is shown: unedited fields follow it, edited ones are kept", async () => {
  const { user } = open("/organize/challenges?open=web");
  await chooseAction(user, "Crumbs", /^Set status/);
  const sheet = await find("dialog", "Set the status of Crumbs");
  const [status, note] = [
    within(sheet).getByLabelText("Status"),
    within(sheet).getByLabelText(/^Note/),
  ];
  await user.type(note, "we look");
  const touched = { ...WEB, status: "broken", statusNote: "down" };
  server.replies["/organize/challenges"] = [200, { challenges: [touched] }];
  say({ event: "changed", lists: ["overview", "challenges", "actions"] });
  expect(
    await within(sheet).findByText("Changed in the meantime to: down", {}, PATIENT),
  ).toBeTruthy();
  expect(status).toHaveProperty("value", "broken");
  expect(note).toHaveProperty("value", "we look");
  await user.click(within(sheet).getByRole("button", { name: "Close" }));
  await chooseAction(user, "Crumbs", /^Set status/);
  const again = await find("dialog", "Set the status of Crumbs");
  expect(within(again).getByLabelText("Status")).toHaveProperty("value", "broken");
  expect(within(again).getByLabelText(/^Note/)).toHaveProperty("value", "we look");
  expect(within(again).getByText("Changed in the meantime to: down")).toBeTruthy();
  await user.click(within(again).getByRole("button", { name: /^Set the status/ }));
  await waitFor(() => expect(sent().at(-1)).toMatchObject({ status: "broken", note: "we look" }));
});

test("the notice is part of the dialog's draft", async () => {
  const { user, sheet } = await ban();
  await user.click(within(sheet).getByRole("checkbox", { name: "Post a notice to all players" }));
  await user.type(within(sheet).getByLabelText("Notice text"), "They left.");
  await user.click(within(sheet).getByRole("button", { name: "Close" }));
  await user.click(await find("button", /^Ban/));
  const again = await find("dialog", "Ban Otters");
  expect(within(again).getByLabelText("Notice text")).toHaveProperty("value", "They left.");
});

test("a notice is posted with the action; only a failed notice is retried", async () => {
  const { user, reason, sheet } = await ban();
  await user.type(reason, "why");
  await user.click(within(sheet).getByRole("checkbox", { name: "Post a notice to all players" }));
  await user.type(within(sheet).getByLabelText("Notice title"), "Otters");
  await user.type(within(sheet).getByLabelText("Notice text"), "They left.");
  const failing = onceThen([503, { code: "overloaded", message: "Busy." }], acted({ id: 8 }));
  server.replies["/organize/actions"] = () => {
    const last = JSON.stringify(callsTo("/organize/actions").at(-1)?.body);
    return last.includes("notice.post") ? failing() : acted();
  };
  await user.click(within(sheet).getByRole("button", { name: /^Ban Otters/ }));
  expect(await within(sheet).findByText(/the notice was not posted/, {}, PATIENT)).toBeTruthy();
  await user.click(within(sheet).getByRole("button", { name: "Post notice" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  const done = sent().filter((body) => !JSON.stringify(body).includes("preview"));
  const actions = done.map((body) => JSON.parse(JSON.stringify(body)).action);
  expect(actions).toEqual(["team.ban", "notice.post", "notice.post"]);
  expect(done.at(-1)).toMatchObject({ title: "Otters", text: "They left." });
});

test("later actions are listed, each with an undo button", async () => {
  const later: Reply = [409, { code: "later_actions", message: "Later ones.", actions: [9] }];
  server.replies["/organize/actions/7/undo"] = later;
  const hidden = { ...BANNED, id: 9, action: "team.hide", sentence: 'Grace hid "Otters".' };
  server.replies["/organize/actions"] = [200, { actions: [hidden, BANNED] }];
  const { user } = open("/organize/audit-log");
  await user.click(await find("button", 'Undo: Ada banned "Otters".'));
  const sheet = await find("dialog", 'Undo: Ada banned "Otters".');
  await user.click(
    await within(sheet).findByRole("button", { name: 'Undo: Grace hid "Otters".' }, PATIENT),
  );
  expect(await find("dialog", 'Undo: Grace hid "Otters".')).toBeTruthy();
});

test("undos and actions show immediate phase changes", async () => {
  const phases = { startsAtOnce: true, endsAtOnce: false, showsHidden: true };
  const undone = { ...phases, startsAtOnce: false, runsAgainUntil: Date.now() };
  server.replies["/organize/actions/7/undo"] = acted({ phases: undone });
  const { user } = open("/organize/audit-log");
  await user.click(await find("button", /^Undo: /));
  const undo = within(await find("dialog", /^Undo: /));
  expect(await undo.findByText(/^The event resumes and runs until /, {}, PATIENT)).toBeTruthy();
  expect(undo.getByText(/^Hidden solves become visible to everyone immediately\./)).toBeTruthy();
  expect(undo.queryByText(/(starts|ends) immediately/)).toBeNull();
  await user.click(undo.getByRole("button", { name: "Close" }));
  server.replies["/organize/actions"] = acted({ phases });
  await user.click(await find("link", "Event"));
  await find("heading", "Event");
  await user.keyboard("p");
  const pause = within(await find("dialog", /^Pause /));
  expect(await pause.findByText(/^The event starts immediately:/, {}, PATIENT)).toBeTruthy();
});

test("an action can require a two-factor code", async () => {
  needsFactor({ "/organize/actions": acted() });
  const { user } = open("/organize/teams?team=Otters");
  await user.click(await find("button", /^Ban/));
  const factor = await find("dialog", "Two-factor authentication");
  await user.type(within(factor).getByLabelText("Six-digit code"), "123456{enter}");
  const sheet = await find("dialog", "Ban Otters");
  expect(
    await within(sheet).findByRole("button", { name: /moves up one rank$/ }, PATIENT),
  ).toBeTruthy();
});

test("a rejudge has one number: the button counts teams on the scoreboard", async () => {
  signedIn([...OWNERS_ACTIONS, "challenge.rejudge"]);
  const sentence = "Ada rejudged web: 3 submissions credited.";
  const place = (rank: number, points: number) => ({ rank, points });
  const moves = [
    { teamName: "Otters", from: place(1, 500), to: place(1, 600) },
    { teamName: "Crabs", from: place(2, 100), to: place(2, 200) },
  ];
  const effect = { truth: moves, public: moves, firstBloods: [] };
  server.replies["/organize/actions"] = acted({ action: "challenge.rejudge", sentence, effect });
  const { user } = open("/organize/challenges?open=web");
  await chooseAction(user, "Crumbs", /^Rejudge/);
  const sheet = within(await find("dialog", "Rejudge Crumbs"));
  expect(await sheet.findByText(sentence, {}, PATIENT)).toBeTruthy();
  const name = "Rejudge Crumbs: points on the scoreboard for Otters, Crabs";
  expect(sheet.getByRole("button", { name })).toBeTruthy();
});

test("an urgent notice with an end requests one preview, and is posted", async () => {
  signedIn();
  const { user } = open("/organize");
  await user.click(await find("button", /^(New notice|Notice)$/));
  const sheet = await find("dialog", /^Post /);
  server.replies["/organize/actions"] = acted({ action: "notice.post", effect: null });
  await user.type(within(sheet).getByLabelText("Title"), "Lunch");
  await user.type(within(sheet).getByLabelText("Text"), "Now.");
  await user.click(within(sheet).getByRole("checkbox", { name: "Urgent (banner on every page)" }));
  const until = within(sheet).getByLabelText("Show the urgent banner");
  await user.selectOptions(until, "5");
  const button = within(sheet).getByRole("button", { name: /^Post / });
  const isPreview = (body: unknown) => JSON.stringify(body).includes('"until"');
  await waitFor(() => expect(sent().filter(isPreview)).toHaveLength(1), PATIENT);
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("false"), PATIENT);
  // Each render happens at a different time.
  await user.type(within(sheet).getByLabelText("Text"), "{Shift}");
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  expect(sent().filter(isPreview)).toHaveLength(2);
  expect(sent().at(-1)).toMatchObject({ title: "Lunch", urgent: true, head: 3 });
});
