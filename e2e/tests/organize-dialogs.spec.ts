// Dialogs of the organizer pages: the confirm button is always in view, and one dialog is enough
// for forty teams.

import type { Locator, Page } from "@playwright/test";
import { ACTIONS } from "../../web/src/api/actions.ts";
import { ACTIONS as WORDS } from "../../web/src/messages/organize/sheet-en.ts";
import { enrol, invite } from "../support/organizer.ts";
import { expectSound } from "../support/page-checks.ts";
import type { Program } from "../support/program.ts";
import { expect, test } from "../support/test.ts";

// The file needs its own program, so that no other team is on the scoreboard.
test.use({ own: "organize-dialogs" });

/** Texts of buttons and menu items that open a dialog. */
const LABELS = Object.values(WORDS).filter((label) => label !== "Edit");

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
/** Confirmed teams. The last four get different statuses. */
const TEAMS = Array.from({ length: 40 }, (_, at) => `Crew ${String(at + 1).padStart(2, "0")}`);

/** Actions of forms, the editor and states of the event: other tests open the same dialog. */
const ELSEWHERE = new Set([
  ...["answers.set", "brand.set", "event.name", "event.rules", "page.set", "page.remove"],
  ...["settings.set", "challenge.create", "challenge.edit", "event.times", "event.resume"],
  ...["event.reveal", "evidence.state", "notice.correct", "notice.withdraw", "question.close"],
  // Offered for teams that are not confirmed, or on the waiting list.
  ...["team.confirm", "team.resend", "team.admit"],
]);

/** Runs an action through the API. */
async function act(page: Page, body: Record<string, unknown>): Promise<void> {
  const answer = await page.evaluate(async (body) => {
    const headers = { "Content-Type": "application/json", "X-Organize": "1" };
    const init = { method: "POST", headers, body: JSON.stringify({ reason: "test", ...body }) };
    const answer = await fetch("/api/organize/actions", init);
    return answer.ok ? "" : answer.text();
  }, body);
  expect(answer, JSON.stringify(body)).toBe("");
}

/** Forty ranked teams, and one that is not confirmed. */
async function crowd(page: Page, program: Program): Promise<void> {
  const teams = TEAMS.map((name, at) => {
    return { name, email: `crew-${at}@example.org`, country: "IT", password: "" };
  });
  const tokens = await program.importTeams(teams);
  for (const [at, team] of TEAMS.entries()) {
    await act(page, { action: "team.award", team, points: 1000 - 10 * at });
  }
  const token = tokens.get("Crew 01") ?? "";
  const solved = { challengeId: "welcome", flag: "flag{w3lc0me_ab0ard}" };
  expect((await program.call(token, "POST", "/solve", solved)).status).toBe(200);
  const question = { text: "Is the tide high?", challengeId: null };
  expect((await program.call(token, "POST", "/question", question)).status).toBe(201);
  const fields = { name: "Low water", category: "Misc", description: "Swim.", value: 100 };
  const hints = [{ key: "moon", content: "Look up.", cost: 5 }];
  const more = { type: "standard", flags: ["flag{low}"], attempts: 5, hints };
  await act(page, {
    ...{ action: "challenge.create", challenge: "low-water", fields: { ...fields, ...more } },
  });
  await act(page, { action: "team.ban", team: "Crew 39" });
  await act(page, { action: "team.hide", team: "Crew 40" });
  await act(page, { action: "notice.post", title: "Lunch", text: "At noon." });
  await act(page, { action: "code.make", label: "School" });
}

/** Expects the button that confirms inside the window, with nothing over it. */
async function expectConfirmInView(dialog: Locator, what: string): Promise<void> {
  const button = dialog.locator('button[type="submit"], .org-do').last();
  await expect(button, what).toBeInViewport({ ratio: 1 });
  const isFree = await button.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const points = [0.1, 0.5, 0.9].map((part) => [left + part * width, top + height / 2] as const);
    return points.every(([x, y]) => one.contains(document.elementFromPoint(x, y)));
  });
  expect(isFree, `${what}: the confirm button is covered`).toBe(true);
  const reason = dialog.getByLabel(/^Reason/);
  if ((await reason.count()) > 0) await expect(reason, what).toBeInViewport({ ratio: 1 });
}

/** Checks the open dialog at both sizes, and closes it. Returns its action. */
async function checkOpen(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  const action = (await dialog.locator("[data-action]").getAttribute("data-action")) ?? "";
  await expect(dialog.getByText("Calculating rank changes…")).toHaveCount(0);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectConfirmInView(dialog, `${action} at ${size.width}`);
    const overflow = await dialog.evaluate((box) => box.scrollWidth - box.clientWidth);
    expect(overflow, `${action} fits ${size.width}`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(SIZES[0] ?? { width: 1440, height: 900 });
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  return action;
}

/** Opens each dialog that the menu of an object offers. Returns their actions. */
async function checkMenu(page: Page, object: string): Promise<string[]> {
  const actions: string[] = [];
  const group = page.getByRole("group", { name: `Actions for ${object}` });
  await expect(group).toBeVisible();
  const more = page.getByRole("button", { name: `More actions for ${object}` });
  const items = page.getByRole("menu").getByRole("menuitem");
  await more.click();
  await expect(items.first()).toBeVisible();
  const count = await items.count();
  await more.click();
  await expect(items).toHaveCount(0);
  for (let at = 0; at < count; at++) {
    await more.click();
    const item = items.nth(at);
    await expect(item).toBeVisible();
    if ((await item.getAttribute("href")) !== null || !(await isAction(item))) {
      await more.click();
      await expect(items).toHaveCount(0);
      continue;
    }
    await item.click();
    actions.push(await checkOpen(page));
  }
  const shown = group.getByRole("button").filter({ hasNot: page.locator("[data-row-menu]") });
  for (const button of await shown.all()) {
    if ((await button.getAttribute("data-row-menu")) !== null || !(await isAction(button)))
      continue;
    await button.click();
    actions.push(await checkOpen(page));
  }
  return actions;
}

/** True if it opens the dialog of an action, and does not lead to another page. */
async function isAction(item: Locator): Promise<boolean> {
  const text = await item.innerText();
  return LABELS.some((label) => text.startsWith(label));
}

test("each dialog has its confirm button in view, on a desktop and on a phone", async ({
  page,
  program,
  complaints,
}) => {
  test.setTimeout(300_000);
  // Dialogs immediately preview actions that change nothing or that a hidden challenge rejects.
  complaints.allow(/status of (404|409|422)/);
  await page.setViewportSize({ width: 1440, height: 900 });
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  await crowd(page, program);
  const seen = new Set<string>();
  const see = (actions: string[]) => {
    for (const action of actions) seen.add(action);
  };

  for (const team of ["Crew 01", "Crew 39", "Crew 40"]) {
    await page.goto(`/organize/teams?team=${encodeURIComponent(team)}`);
    see(await checkMenu(page, team));
  }
  for (const [id, name] of [
    ["welcome", "Welcome aboard"],
    ["low-water", "Low water"],
  ] as const) {
    await page.goto(`/organize/challenges?open=${id}`);
    see(await checkMenu(page, name));
  }
  const press = async (address: string, name: string | RegExp) => {
    await page.goto(address);
    await page.getByRole("button", { name }).first().click();
    see([await checkOpen(page)]);
  };
  await press("/organize/teams", "Create test team");
  await press("/organize/challenges/low-water/edit", /^Make/);
  await press("/organize", /^Pause/);
  await press("/organize", /notice/i);
  await press("/organize/messages", /^Answer/);
  await press("/organize/audit-log", /^Undo/);
  await press("/organize/event?tab=settings", "Create codes");
  await press("/organize/event?tab=settings", /^Revoke/);
  const missing = Object.keys(ACTIONS).filter((action) => {
    return !seen.has(action) && !ELSEWHERE.has(action);
  });
  expect(missing, "actions whose dialog is not checked").toEqual([]);
  expect(seen.has("undo")).toBe(true);
});

test("forty teams are hidden in one dialog, and shown again by one undo", async ({
  page,
  program,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  const { link } = await invite(program, "organizer");
  await enrol(page, link);
  const names = TEAMS.map((_, at) => `Deck ${at + 1}`);
  await program.importTeams(
    names.map((name, at) => ({
      name,
      email: `deck-${at}@example.org`,
      country: "IT",
      password: "",
    })),
  );
  await page.goto("/organize/teams?q=Deck");
  await page.getByRole("checkbox", { name: /^Select all/ }).check();
  await page
    .getByRole("group", { name: "Selection" })
    .getByRole("button", { name: /^Hide 40 teams/ })
    .click();
  const dialog = page.getByRole("dialog", { name: "Hide 40 teams" });
  await expect(dialog.getByRole("list", { name: "Selected" })).toContainText("and 36 more");
  await dialog.getByLabel("Reason").fill("They were a test");
  await expectSound(page, "organize-bulk");
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectConfirmInView(dialog, `40 teams at ${size.width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  // The typed reason survives a reload.
  await page.reload();
  await page
    .getByRole("group", { name: "Selection" })
    .getByRole("button", { name: /^Hide 40 teams/ })
    .click();
  await expect(dialog.getByLabel("Reason")).toHaveValue("They were a test");
  await dialog.locator(".org-do[aria-disabled=false]").click();
  await expect(page.getByRole("status").getByText("hid 40 teams")).toBeVisible();
  await expectToastFree(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToastFree(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const standings = async () => (await program.command("team", "list")).match(/hidden/g)?.length;
  expect(await standings()).toBeGreaterThanOrEqual(40);
  await page.keyboard.press("u");
  const undo = page.getByRole("dialog", { name: /^Undo: / });
  await undo.locator(".org-do[aria-disabled=false]").click();
  await expect(undo).toHaveCount(0);
  expect((await standings()) ?? 0).toBeLessThan(40);
});

/** Expects the toast over no control of the page. */
async function expectToastFree(page: Page): Promise<void> {
  const covered = await page.locator("[data-toast]").evaluate((toast) => {
    const box = toast.getBoundingClientRect();
    const controls = document.querySelectorAll("main :is(a[href], button, input, select)");
    return [...controls].flatMap((one) => {
      const rect = one.getBoundingClientRect();
      const isOver = rect.left < box.right && rect.right > box.left;
      const isOut = rect.width === 0 || toast.contains(one) || !isOver;
      if (isOut || rect.top >= box.bottom || rect.bottom <= box.top) return [];
      // Below 64 rem, the page scrolls behind the strip as it does behind the bottom bar.
      return innerWidth < 1024 && !one.closest("nav") ? [] : [one.textContent];
    });
  });
  expect(covered, "controls below the toast").toEqual([]);
}
