// Organizer accounts: invitation, two-factor authentication and login.

import { expect, type Page } from "@playwright/test";
import { code } from "./code.mjs";
import type { Program } from "./program.ts";

const PASSWORD = "a long password";

let names = 0;

export async function invite(
  program: Program,
  role: string,
): Promise<{ name: string; link: string }> {
  names += 1;
  const name = `Host ${process.pid} no ${names}`;
  const link = (await program.command("organizer", "add", name, "--role", role)).trim();
  return { name, link };
}

/**
 * Accepts an invitation and opens the first page; returns the authenticator secret and the recovery
 * codes.
 */
export async function enrol(
  page: Page,
  link: string,
  first = /\/organize$/,
): Promise<{ secret: string; codes: string[] }> {
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  const app = page.getByRole("link", { name: "Open in an app on this device" });
  const uri = (await app.getAttribute("href")) ?? "";
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  await page.getByLabel("Six-digit code").fill(code(secret));
  await page.getByRole("button", { name: "Finish" }).click();
  const codes = page.getByRole("list", { name: "Your recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const texts = await codes.allTextContents();
  await page.getByRole("checkbox", { name: "I've saved them" }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(first);
  return { secret, codes: texts };
}

export async function fillSignIn(page: Page, name: string): Promise<void> {
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
}
