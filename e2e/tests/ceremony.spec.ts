// The ceremony on a projector: a rehearsal, and the real one without the network.

import type { Locator, Page } from "@playwright/test";
import { CEREMONY_EVENT, playToTheEnd, TEAMS } from "../support/ceremony.ts";
import { enrol, invite } from "../support/organizer.ts";
import { Program } from "../support/program.ts";
import { expect, test } from "../support/test.ts";

test.use({ viewport: { width: 1920, height: 1080 } });
test.describe.configure({ mode: "serial", timeout: 300_000 });

let program: Program;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  program = await Program.start(CEREMONY_EVENT);
  await playToTheEnd(program);
});
test.afterAll(() => program.stop());

async function prepare(page: Page): Promise<void> {
  const { link } = await invite(program, "organizer");
  await enrol(page, program.url + new URL(link).pathname + new URL(link).hash);
  await page.goto(`${program.url}/organize/ceremony`);
  await expect(page.getByRole("heading", { level: 1, name: "Ceremony" })).toBeVisible();
}

const stageOf = (page: Page): Locator => page.locator("[data-step][data-playing]");

/** Presses a key, and a second time if the hidden solves of a place then play. */
async function press(page: Page, key: string): Promise<{ kind: string; place: number }> {
  const stage = stageOf(page);
  const before = await stage.getAttribute("data-at");
  await page.keyboard.press(key);
  await expect(stage).not.toHaveAttribute("data-at", before ?? "");
  if ((await stage.getAttribute("data-playing")) === "true") await page.keyboard.press(key);
  await expect(stage).toHaveAttribute("data-playing", "false");
  const kind = (await stage.getAttribute("data-step")) ?? "";
  return { kind, place: Number(await stage.getAttribute("data-place")) };
}

const settledTeam = async (page: Page) =>
  (await page.locator('[data-state="here"]').getAttribute("data-team")) ?? "";

interface Standing {
  pos: number;
  team: string;
  score: number;
}

async function published(): Promise<Standing[]> {
  return (await (await fetch(`${program.url}/api/ctftime`)).json()).standings;
}

/** Everything that the public can read about the ranking. */
async function publicBytes(): Promise<string[]> {
  const paths = ["scoreboard", "ctf", "ctftime", "notices", "team/Salty%20Sailors"];
  const read = async (path: string) => (await fetch(`${program.url}/api/${path}`)).text();
  return (await Promise.all(paths.map(read))).map((text) => text.replace(/"serverTime":\d+/, ""));
}

test("a rehearsal goes through all steps with made-up solves, and publishes nothing", async ({
  page,
}) => {
  await prepare(page);
  await page.getByRole("radio", { name: /^Rehearsal/ }).check();
  await expect(page.getByText(/^Loaded: 150 teams, \d+ hidden solves/)).toBeVisible();
  await expect(page.getByText("ends at the final ranking")).toBeVisible();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(request.url());
  });
  await page.getByLabel("First place to announce").fill("8");
  await page.getByRole("button", { name: "Begin" }).click();
  const stage = stageOf(page);
  await expect(stage).toHaveAttribute("data-step", "opening");
  const kinds: string[] = [];
  while (kinds.at(-1) !== "publish") {
    await expect(page.getByText("Rehearsal", { exact: true })).toBeVisible();
    const { kind, place } = await press(page, "PageDown");
    kinds.push(place > 0 ? `${kind} ${place}` : kind);
  }
  const places = [8, 7, 6, 5, 4].map((place) => `place ${place}`);
  const top = [3, 2, 1].flatMap((place) => [`place ${place}`, `card ${place}`]);
  const end = ["podium", "board", "board", "publish"];
  expect(kinds).toEqual(["frozen", "start", ...places, ...top, ...end]);
  await expect(page.getByRole("heading", { name: "End of the rehearsal" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Publish the final ranking" })).toHaveCount(0);
  expect(sent).toEqual([]);

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const leave = page.getByRole("dialog", { name: "Leave the ceremony?" });
  await page.keyboard.press("Enter");
  await expect(leave).toHaveCount(0);
  await expect(stage).toHaveAttribute("data-step", "publish");
  await page.keyboard.press("Escape");
  await leave.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Ceremony" })).toBeVisible();
  const ctf = await (await fetch(`${program.url}/api/ctf`)).json();
  expect(ctf.revealed).toBe(false);
});

test("the real one needs no network, and the world sees the ranking at its last step", async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.allow(/ERR_INTERNET_DISCONNECTED/);
  const stranger = await visitor(program.url);
  const frames: string[] = [];
  stranger.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => frames.push(String(payload))),
  );
  await stranger.goto("/scoreboard");
  const first = stranger
    .getByRole("table", { name: /^Scoreboard/ })
    .locator("tbody tr")
    .first();
  await expect(first).toBeVisible();
  await expect.poll(() => frames.length).toBeGreaterThan(0);

  await prepare(page);
  await page.getByRole("button", { name: "Load the sealed ranking" }).click();
  await expect(page.getByText(`Loaded: ${TEAMS} teams`)).toBeVisible();
  const before = await publicBytes();
  const seen = frames.length;
  await page.getByLabel("First place to announce").fill(String(TEAMS));
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByText("Type the exact event name.")).toBeVisible();
  await page.getByLabel("Event name, to confirm").fill("Harbour Test CTF");
  await page.getByRole("button", { name: "Begin" }).click();
  for (const _ of ["frozen", "start", "150", "149"]) await press(page, "Space");
  const stage = stageOf(page);
  await expect(stage).toHaveAttribute("data-place", "149");
  await page.reload();
  await expect(stage).toHaveAttribute("data-place", "149");
  await press(page, "ArrowLeft");
  await press(page, "PageUp");
  await expect(stage).toHaveAttribute("data-step", "start");

  await page.context().setOffline(true);
  const announced = new Map<number, string>();
  const keys = ["Space", "ArrowRight", "Enter", "PageDown"];
  for (let count = 0; ; count += 1) {
    const { kind, place } = await press(page, keys[count % keys.length] ?? "Space");
    if (kind === "place") announced.set(place, await settledTeam(page));
    if (kind === "place" && place === 100) {
      await press(page, "ArrowLeft");
      await expect(stage).toHaveAttribute("data-place", "101");
      await press(page, "ArrowRight");
    }
    if (kind === "card") {
      const card = page.getByRole("heading", { level: 1 });
      await expect(card).toHaveText(announced.get(place) ?? "none");
    }
    if (kind === "podium") break;
  }
  expect(announced.size).toBe(TEAMS);
  for (const place of [1, 2, 3]) {
    const winner = page.locator(`li[data-place="${place}"]`);
    await expect(winner).toContainText(announced.get(place) ?? "none");
  }
  await press(page, "Space");
  const listed = async () => {
    const rows = page.locator("li[data-team]");
    return rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-team")));
  };
  expect((await listed())[0]).toBe(announced.get(1));
  await page.keyboard.press("ArrowDown");
  await expect(page.locator("li[data-place]").first()).toHaveAttribute("data-place", "21");
  await press(page, "Space");
  await expect(page.getByRole("heading", { name: "Final ranking of the students" })).toBeVisible();
  const students = await listed();
  await press(page, "Space");

  const publish = page.getByRole("button", { name: "Publish the final ranking" });
  await expect(page.getByText("No network at the moment.")).toBeVisible();
  await publish.click();
  await expect(page.getByText("Nothing is published")).toBeVisible();
  const after = await publicBytes();
  expect(after.map((bytes, index) => bytes === before[index])).toEqual(before.map(() => true));
  expect(frames.slice(seen)).toEqual([]);

  await page.context().setOffline(false);
  await publish.click();
  await expect(page.getByText("Everyone sees the final ranking now.")).toBeVisible();
  await expect(first).toContainText(announced.get(1) ?? "none");
  const final = await published();
  expect(final.map(({ team }) => team)).toEqual(
    Array.from({ length: TEAMS }, (_, index) => announced.get(index + 1)),
  );
  const order = final.map(({ team }) => team).filter((team) => students.includes(team));
  expect(students).toEqual(order);
  await page.reload();
  await expect(page.getByText("The final ranking is already public.")).toBeVisible();
});
