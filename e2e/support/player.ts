// User actions on the site. Elements are found by role and label.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";

interface Country {
  code: string;
  flag: string;
  name: string;
}

/** Country list shared by the site and the server. */
export const countries: Country[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../vectors/countries.json"), "utf8"),
);

export interface Account {
  name: string;
  email: string;
  password: string;
}

/** Timeout for the widget's proof of work. */
const CAPTCHA_MS_MAX = 20_000;

/** Checks the captcha's box, unless it is already solved, and waits for the proof. */
export async function solveCaptcha(page: Page): Promise<void> {
  const widget = page.locator("altcha-widget");
  const box = widget.getByRole("checkbox");
  await box.waitFor();
  if (!(await box.isChecked())) {
    // The check mark covers the box. The widget accepts a click on either.
    await box.click({ force: true });
  }
  await expect(widget.getByText("Verified")).toBeVisible({ timeout: CAPTCHA_MS_MAX });
}

/** Selects the country with this code by typing its name. */
export async function chooseCountry(page: Page, code: string): Promise<void> {
  const name = countries.find((country) => country.code === code)?.name ?? code;
  const box = page.getByRole("combobox", { name: "Country" });
  if ((await box.inputValue()) !== name) {
    await box.fill(name);
    await page.getByRole("option", { name, exact: true }).click();
  }
}

/** Fills in the open signup form. */
export async function signUpForm(page: Page, account: Account, country: string): Promise<void> {
  await page.getByRole("textbox", { name: "Team name" }).fill(account.name);
  await page.getByRole("textbox", { name: "Email" }).fill(account.email);
  await chooseCountry(page, country);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
}

/** Fills in and submits the signup form. */
export async function signUp(page: Page, account: Account, country: string): Promise<void> {
  await page.goto("/signup");
  await signUpForm(page, account, country);
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Signup" }).click();
}

/** Fills in and submits the login form. */
export async function logIn(page: Page, account: Account): Promise<void> {
  await page.goto("/login");
  await page.getByRole("textbox", { name: "Team", exact: true }).fill(account.name);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Waits until the live channel of this page is open. */
export async function expectLive(page: Page): Promise<void> {
  await expect(page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();
}

/** Card of a challenge, by name. */
export function card(page: Page, challenge: string): Locator {
  return page.getByRole("article", { name: challenge });
}

/** Submits a flag from an open card. */
export async function submitFlag(challenge: Locator, flag: string): Promise<void> {
  await challenge.getByPlaceholder("flag").fill(flag);
  await challenge.getByRole("button", { name: "Submit" }).click();
}
