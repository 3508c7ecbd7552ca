// Visitor settings in the menu: theme, time zone, keyboard shortcuts. Also fonts.

import { expectSound } from "../support/page-checks.ts";
import { enter, expect, test } from "../support/test.ts";

test.use({ timezoneId: "Asia/Tokyo" });

test("the theme is set before the site loads, times follow the zone, shortcuts can be off", async ({
  page,
  complaints,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const ground = page.locator("body");
  await expect(ground).toHaveCSS("background-color", "rgb(244, 246, 248)");
  const preferences = page.getByRole("button", { name: "Preferences" });
  await preferences.click();
  await page.getByRole("combobox", { name: "Theme" }).selectOption("Dark");
  await expect(ground).toHaveCSS("background-color", "rgb(8, 12, 18)");

  await expect(page.getByText(/GMT\+9|JST/).first()).toBeVisible();
  await page.getByRole("combobox", { name: "Time zone" }).selectOption("Event (UTC)");
  await expect(page.getByText(/GMT\+9|JST/)).toHaveCount(0);
  await expect(page.getByText(/UTC$/).first()).toBeVisible();

  // The menu closes on Esc, and gives the focus back.
  await page.getByRole("combobox", { name: "Time zone" }).focus();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("combobox", { name: "Theme" })).toBeHidden();
  await expect(preferences).toBeFocused();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(page).toHaveURL(/\/scoreboard$/);
  await preferences.click();
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet).toBeVisible();
  await expectSound(page, "keys");
  await sheet.getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  for (const key of ["g", "r", "?"]) await page.keyboard.press(key);
  await expect(page).toHaveURL(/\/scoreboard$/);
  await expect(sheet).toHaveCount(0);

  // Without the site's script, only the inline script before the first paint sets the theme.
  complaints.allow(/ERR_FAILED/);
  await page.route("**/static/js/site-*", (route) => route.abort());
  await page.goto("/");
  await expect(ground).toHaveCSS("background-color", "rgb(8, 12, 18)");
});

test("a font is fetched once when used, and never compressed again", async ({
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
