// The country field of the signup: about 250 names with flags; UN by default. Flags are a sprite.

import { countries } from "../support/player.ts";
import { expect, newTeam, test } from "../support/test.ts";

test("the country defaults to UN; all are listed by name with their flag", async ({ page }) => {
  await page.goto("/signup");
  const country = page.getByRole("combobox", { name: "Country" });
  await expect(country).toHaveValue("United Nations");
  await country.click();
  const options = page.getByRole("listbox", { name: "Country" }).getByRole("option");
  await expect(options.first()).toBeVisible();
  const names = (await options.allTextContents()).map((text) => text.trim());
  expect(names.length).toBeGreaterThan(240);
  expect(names.length).toBeLessThan(260);
  expect(names).toEqual(countries.map(({ name }) => name));
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, "en")));
  expect(countries.map(({ code }) => code)).toEqual(expect.arrayContaining(["EU", "UN", "XK"]));
  // A symbol that the sprite does not have is empty.
  const empty = () =>
    options
      .locator("use")
      .evaluateAll((uses) =>
        uses
          .filter((use) => use instanceof SVGGraphicsElement && use.getBBox().width === 0)
          .map((use) => use.getAttribute("href")),
      );
  await expect(options.locator("use")).toHaveCount(names.length);
  await expect.poll(empty).toEqual([]);
});

test("all flags of a scoreboard are one request", async ({ page, program }) => {
  for (const country of ["IT", "KR", "ES", "XK"]) await newTeam(program, undefined, country);
  const images: string[] = [];
  page.on("request", (request) => {
    if (/\.(svg|webp|png)$/.test(request.url())) images.push(request.url());
  });
  await page.goto("/scoreboard");
  await expect(page.getByRole("img", { name: "Kosovo" }).first()).toBeVisible();
  await page.waitForLoadState("networkidle");
  const flags = images.filter((url) => /\/flags-[\w-]{8}\.svg$/.test(url));
  expect(new Set(images.filter((url) => url.includes("flag"))).size).toBe(1);
  expect(flags).toHaveLength(1);
});

test("a country is found by typing, and is set on leaving the field", async ({ page }) => {
  await page.goto("/signup");
  const country = page.getByRole("combobox", { name: "Country" });
  const options = page.getByRole("listbox", { name: "Country" }).getByRole("option");
  const sent = page.locator('input[name="country"]');
  await country.fill("nig");
  await expect(options).toHaveText(["Niger", "Nigeria"]);
  await expect(options.and(page.getByRole("option", { selected: true }))).toHaveText(["Niger"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(country).toHaveValue("Nigeria");
  await country.fill("ital");
  await page.keyboard.press("Tab");
  await expect(country).toHaveValue("Italy");
  await expect(sent).toHaveValue("IT");
  await country.fill("kosov");
  await page.getByLabel("Password", { exact: true }).click();
  await expect(country).toHaveValue("Kosovo");
  await expect(sent).toHaveValue("XK");
  await country.fill("nowhere at all");
  await expect(options).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(country).toHaveValue("Kosovo");
  await expect(sent).toHaveValue("XK");
});
