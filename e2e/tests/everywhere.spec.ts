// Easily forgotten conditions: offline, without scripts, in a second tab, in print, with forced
// colors, and during slow loading.

import type { Page } from "@playwright/test";
import { tokenColor } from "../support/color.ts";
import { tooWidePx } from "../support/page-checks.ts";
import { card, submitFlag } from "../support/player.ts";
import { expectCalm, watchShifts } from "../support/shifts.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

test("offline a flag is shown as waiting, with Cancel; an unloaded page can be left", async ({
  page,
  team,
  complaints,
}) => {
  complaints.allow(/ERR_INTERNET_DISCONNECTED|Loading chunk|dynamically imported module/);
  const flags: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/solve")) flags.push(request.postDataJSON().flag);
  });
  await page.goto("/challenge?open=welcome");
  const challenge = card(page, "Welcome aboard");
  await expect(page.getByText(team.name).first()).toBeVisible();
  await expect(challenge.getByPlaceholder("flag")).toBeVisible();
  await page.context().setOffline(true);
  await submitFlag(challenge, "flag{cancelled}");
  const waits = page.getByRole("status").filter({ hasText: "Your flag for Welcome aboard" });
  await expect(waits).toContainText("You're offline.");
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(page.getByRole("heading", { name: "Loading chunk rules failed" })).toBeVisible();
  await expect(page.getByText("this page hasn't been loaded yet")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Still offline.")).toBeVisible();
  await expect(waits).toBeVisible();
  await page.getByRole("button", { name: "Back" }).click();
  await expect(challenge).toBeVisible();
  await waits.getByRole("button", { name: "Cancel" }).click();
  await expect(waits).toHaveCount(0);
  await submitFlag(challenge, "flag{sent later}");
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(page.getByRole("heading", { name: "Loading chunk rules failed" })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Rules" })).toBeVisible();
  await expect.poll(() => flags).toEqual(["flag{sent later}"]);
  // Chromium sometimes does not close a context whose page was offline; it closes the page.
  await page.close();
});

test("without JavaScript the first screen explains what is needed", async ({
  browser,
  program,
}) => {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ javaScriptEnabled: false, viewport });
  const page = await context.newPage();
  await page.goto(program.url);
  // Text locators do not search this element.
  const words = page.locator("noscript p").first();
  await expect(words).toHaveText(/^This site needs JavaScript/);
  await expect(words).toBeInViewport({ ratio: 1 });
  await context.close();
});

test("a logout in one tab appears in the other", async ({ page, team }) => {
  const other = await page.context().newPage();
  await page.goto("/rules");
  await other.goto("/challenge");
  await expect(other.getByText(team.name).first()).toBeVisible();
  await page.getByRole("link", { name: "Logout" }).click();
  await expect(page.getByRole("link", { name: "Signup", exact: true })).toBeVisible();
  await expect(other).toHaveURL(/\/login\?to=%2Fchallenge$/);
  await expect(other.getByRole("link", { name: "Signup", exact: true })).toBeVisible();
});

test("in print the board is complete, light, and without the rest of the page", async ({
  page,
  team,
}) => {
  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  await page.setViewportSize({ width: 600, height: 800 });
  await page.goto("/scoreboard");
  await expect(page.getByRole("rowheader", { name: team.name })).toBeVisible();
  const region = page.getByRole("region", { name: "Scoreboard" });
  const cut = await region.evaluate((box) => box.scrollWidth - box.clientWidth);
  expect(cut).toBeLessThanOrEqual(0);
  const lastColumn = await region.getByRole("columnheader").last().boundingBox();
  expect((lastColumn?.x ?? 0) + (lastColumn?.width ?? 0)).toBeLessThanOrEqual(600);
  await expect(page.locator("body")).toHaveCSS("color", "rgb(19, 27, 36)");
  for (const name of ["Rules", "Projector view", "Keyboard shortcuts"]) {
    await expect(page.getByText(name, { exact: true })).toBeHidden();
  }
});

test("with forced colors the current page has its own mark", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/rules");
  const mark = (name: string) =>
    page
      .getByRole("link", { name, exact: true })
      .evaluate((link) => getComputedStyle(link).borderBottomColor);
  await expect(page.getByRole("link", { name: "Rules", exact: true })).toBeVisible();
  expect(await mark("Rules")).not.toBe(await mark("Scoreboard"));
  expect(await mark("Challenges")).toBe(await mark("Scoreboard"));
});

test("no page shifts while loading on a phone", async ({ page, serve }) => {
  test.slow();
  const program = await serve({});
  const team = await newTeam(program, "Steady Hands");
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await watchShifts(page, "together");
  await page.setViewportSize({ width: 390, height: 844 });
  const expectStill = (path: string) => expectCalm(page, program.url + path);
  for (const path of ["/", "/login", "/signup", "/confirm", "/reset", "/nowhere"]) {
    await expectStill(path);
  }
  await enter(page, program, team);
  for (const path of [
    "/",
    "/scoreboard",
    "/scoreboard?graph=true",
    "/challenge",
    "/challenge?open=welcome&open=tide",
    "/team/Steady%20Hands",
    "/rules",
  ]) {
    await expectStill(path);
  }
  // The steps for first-time players load with the scoreboard.
  await enter(page, program, await newTeam(program, "First Timers"));
  await expectStill("/");
  await page.setViewportSize({ width: 412, height: 823 });
  await expectStill("/");
});

const PURPLE = "#7048e8";
const RULES = [
  "| Category | Who helps | Where | When |",
  "| --- | --- | --- | --- |",
  "| Steganography | Massimiliano | the amphitheatre | in the afternoon |",
  "",
  "> Ask before you attack.",
  "",
  "    ssh crew@harbour.example -p 2222 -o PreferredAuthentications=password",
].join("\n");

/** WCAG 2 contrast ratio between two color tokens. */
async function contrast(page: Page, text: string, ground: string): Promise<number> {
  return page.evaluate(
    (names) => {
      const context = document.createElement("canvas").getContext("2d");
      const probe = document.body.appendChild(document.createElement("i"));
      const [one = 0, other = 0] = names.map((name) => {
        probe.style.color = `var(${name})`;
        if (!context) return 0;
        context.fillStyle = getComputedStyle(probe).color;
        context.fillRect(0, 0, 1, 1);
        const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data]
          .map((value) => value / 255)
          .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      });
      probe.remove();
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    },
    [text, ground],
  );
}

test("an event's accent color is used for points, own row and graph, and is readable", async ({
  page,
  serve,
}) => {
  const program = await serve({
    edit: (text) => text.replace("[site]", `[site]\naccent = "${PURPLE}"`),
  });
  const team = await newTeam(program, "Violets");
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await enter(page, program, team);
  for (const [colorScheme, mixed] of [
    ["dark", `color-mix(in oklch, ${PURPLE} 68%, white)`],
    ["light", `color-mix(in oklch, ${PURPLE} 80%, black)`],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${program.url}/challenge`);
    await expect(card(page, "Welcome aboard")).toContainText("Solved");
    const expected = await page.evaluate((color) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = color;
      return getComputedStyle(probe).color;
    }, mixed);
    for (const name of ["--accent-text", "--series-0"]) {
      expect.soft(await tokenColor(page, name), `${name}, ${colorScheme}`).toBe(expected);
    }
    const points = card(page, "Welcome aboard").getByText("100 points");
    await expect(points).toHaveCSS("color", expected);
    const own = page.getByRole("row").filter({ hasText: "(your team)" });
    await expect(own).toHaveCSS("background-color", await tokenColor(page, "--own"));
    for (const ground of ["--ground", "--surface", "--surface-high", "--accent-soft", "--own"]) {
      const what = `${ground}, ${colorScheme}`;
      expect.soft(await contrast(page, "--accent-text", ground), what).toBeGreaterThan(4.5);
      expect.soft(await contrast(page, "--text", ground), what).toBeGreaterThan(7);
    }
  }
});

test("tables, quotes and code in descriptions are styled, and words are not split", async ({
  page,
  serve,
}) => {
  const program = await serve({ files: { "rules.md": RULES } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${program.url}/rules`);
  const frame = page.getByRole("group", { name: "Table" });
  await expect(frame).toBeVisible();
  expect(await tooWidePx(page)).toBeLessThanOrEqual(0);
  // The frame is too narrow for its content, so it scrolls and is focusable.
  await expect(frame).toHaveAttribute("tabindex", "0");
  for (const word of ["Steganography", "Massimiliano"]) {
    const lines = await page.getByRole("cell", { name: word }).evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    });
    expect(lines, word).toBe(1);
  }
  await expect(page.getByRole("cell").first()).toHaveCSS("border-top-width", "1px");
  const quote = page.getByRole("blockquote");
  await expect(quote).toHaveCSS("border-left-width", "3px");
  await expect(page.locator("pre")).toHaveCSS("overflow-x", "auto");
});
