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

test("a country is found by typing and chosen by keyboard", async ({ page }) => {
  await page.goto("/signup");
  const country = page.getByRole("combobox", { name: "Country" });
  await country.fill("kosov");
  await expect(page.getByRole("option")).toHaveText(["Kosovo"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(country).toHaveValue("Kosovo");
  await country.fill("nowhere at all");
  await expect(page.getByRole("option")).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(country).toHaveValue("Kosovo");
});
