// The country of a signup: about 250 entries by name, each with its flag, UN unless chosen.

import { countries } from "../support/player.ts";
import { expect, test } from "../support/test.ts";

test("the country is UN unless chosen; all are there by name with their flag", async ({ page }) => {
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
  await expect(options.locator("img")).toHaveCount(names.length);
});

test("a country is found by typing, and what is typed and left is taken", async ({ page }) => {
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
