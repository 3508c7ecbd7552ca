// What a visitor chooses in the footer: the theme, whose time zone, the keys. And the faces.

import { expectSound } from "../support/sound.ts";
import { enter, expect, test } from "../support/test.ts";

test.use({ timezoneId: "Asia/Tokyo" });

test("a theme is there before the site is, times follow the zone, keys can be off", async ({
  page,
  complaints,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const ground = page.locator("body");
  await expect(ground).toHaveCSS("background-color", "rgb(244, 246, 248)");
  await page.getByRole("combobox", { name: "Theme" }).selectOption("Dark");
  await expect(ground).toHaveCSS("background-color", "rgb(10, 15, 21)");

  await expect(page.getByText(/GMT\+9|JST/)).toBeVisible();
  await page.getByRole("combobox", { name: "Times" }).selectOption("The event's: UTC");
  await expect(page.getByText(/GMT\+9|JST/)).toHaveCount(0);
  await expect(page.getByText(/UTC$/).first()).toBeVisible();

  await page.keyboard.press("s");
  await expect(page).toHaveURL(/\/scoreboard$/);
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet).toBeVisible();
  await expectSound(page, "keys");
  await sheet.getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  await page.keyboard.press("?");
  await expect(page).toHaveURL(/\/scoreboard$/);
  await expect(sheet).toHaveCount(0);

  // Without the site's own script, the theme is what ran before the first paint.
  complaints.allow(/ERR_FAILED/);
  await page.route("**/static/js/site-*", (route) => route.abort());
  await page.goto("/");
  await expect(ground).toHaveCSS("background-color", "rgb(10, 15, 21)");
});

test("a face is fetched when it is used, once, and never compressed again", async ({
  page,
  program,
  team,
}) => {
  const faces: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(".woff2")) faces.push(request.url());
  });
  await page.goto("/");
  await page.evaluate(() => document.fonts.ready.then(() => true));
  expect(faces).toEqual([expect.stringMatching(/\/inter-latin-[\w-]{8}\.woff2$/)]);
  const face = await page.request.get(faces[0] ?? "");
  expect(face.headers()["content-type"]).toBe("font/woff2");
  expect(face.headers()["cache-control"]).toContain("immutable");
  expect(face.headers()["content-encoding"]).toBeUndefined();
  await enter(page, program, team);
  await page.goto("/challenge?open=welcome");
  await expect(page.getByPlaceholder("flag")).toBeVisible();
  await expect.poll(() => faces.at(-1)).toContain("jetbrains-mono-latin");
  expect(faces.some((url) => url.includes("inter-latin-ext"))).toBe(false);
});
