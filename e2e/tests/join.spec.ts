// Printed join cards: made by the command, opened on a phone, used once.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { expectSound } from "../support/page-checks.ts";
import type { Program } from "../support/program.ts";
import { expect, test } from "../support/test.ts";

const PASSWORD = "a card for the harbour";
const PICTURES = join(import.meta.dirname, "../test-results/pictures");

// All teams get cards, so the file needs its own program.
test.use({ own: "join", viewport: { width: 390, height: 844 } });

async function importTeam(program: Program, name: string): Promise<void> {
  const email = `${name.toLowerCase().replaceAll(" ", "-")}@example.org`;
  await program.importTeams([{ name, email, country: "IT", password: "" }]);
}

/** The team of the page's session. */
async function loggedTeam(page: Page, program: Program): Promise<unknown> {
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === "apitoken")?.value ?? "";
  return (await (await program.call(token, "GET", "/ctf")).json()).loggedTeam;
}

test("the link of a card logs a phone in, once", async ({ page, program, visitor, complaints }) => {
  const team = "Card Otters";
  await importTeam(program, team);
  const sheet = await program.joinCards("one.html", team);
  const paper = await visitor();
  await paper.goto(pathToFileURL(sheet).href);
  const address = (await paper.getByRole("link", { name: /\/join#/ }).textContent()) ?? "";
  expect(address).toContain(`${program.url}/join#`);

  await page.goto(address);
  await expect(page.getByRole("heading", { name: "Join your team" })).toBeVisible();
  await expect(page).toHaveURL(`${program.url}/join`);
  await expectSound(page, "join");
  const field = page.getByLabel("New password");
  await field.fill("12345");
  await page.getByRole("button", { name: "Set password and log in" }).click();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.fill(PASSWORD);
  await page.getByRole("button", { name: "Set password and log in" }).click();
  await expect(page).toHaveURL(`${program.url}/challenge`);
  expect(await loggedTeam(page, program)).toBe(team);

  complaints.allow(/status of 410/);
  const other = await visitor();
  await other.setViewportSize({ width: 390, height: 844 });
  await other.goto(address);
  await other.getByLabel("New password").fill(PASSWORD);
  await other.getByRole("button", { name: "Set password and log in" }).click();
  await expect(other.getByRole("alert")).toContainText("This card has been used");
  await expectSound(other, "join-used");
  expect(await loggedTeam(other, program)).toBe(null);
});

test("the code of a card logs in with the team's name", async ({ page, program, complaints }) => {
  const team = "Card Crabs";
  await importTeam(program, team);
  await page.goto(pathToFileURL(await program.joinCards("code.html", team)).href);
  const code = (await page.locator(".code").textContent()) ?? "";

  complaints.allow(/status of 410/);
  await page.goto("/join");
  await page.getByLabel("Team").fill(team);
  await page.getByLabel("Code on the card").fill("00000-00000");
  await page.getByLabel("New password").fill(PASSWORD);
  await expectSound(page, "join-code");
  await page.getByRole("button", { name: "Set password and log in" }).click();
  await expect(page.getByText("Wrong team name or code")).toBeVisible();
  await page.getByLabel("Code on the card").fill(code.toLowerCase().replace("-", " "));
  await page.getByRole("button", { name: "Set password and log in" }).click();
  await expect(page).toHaveURL(`${program.url}/challenge`);
  expect(await loggedTeam(page, program)).toBe(team);
});

test("without a connection the card stays valid", async ({ page, program, complaints }) => {
  const team = "Card Gulls";
  await importTeam(program, team);
  await page.goto(pathToFileURL(await program.joinCards("offline.html", team)).href);
  const address = (await page.getByRole("link", { name: /\/join#/ }).textContent()) ?? "";
  complaints.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await page.goto(address);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Set password and log in" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "API connection failed" });
  await expect(failed).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Set password and log in" }).click();
  await expect(page).toHaveURL(`${program.url}/challenge`);
});

test("eight cards fit on a page of A4", async ({ visitor, program }) => {
  for (let number = 1; number <= 9; number += 1) {
    await importTeam(program, `Paper Team no ${number} Wwww`);
  }
  const paper = await visitor();
  await paper.setViewportSize({ width: 1440, height: 900 });
  await paper.goto(pathToFileURL(await program.joinCards("all.html")).href);
  const cards = paper.getByRole("article");
  const count = await cards.count();
  expect(count).toBeGreaterThanOrEqual(9);
  // Nothing of a card is cut off.
  const cut = await cards.evaluateAll(
    (all) => all.filter((it) => it.scrollHeight > it.clientHeight + 1).length,
  );
  expect(cut).toBe(0);
  await mkdir(PICTURES, { recursive: true });
  await paper.emulateMedia({ media: "print" });
  await paper.screenshot({ path: join(PICTURES, "join-sheet.png"), fullPage: true });
  const pdf = await paper.pdf({ path: join(PICTURES, "join-sheet.pdf"), preferCSSPageSize: true });
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length;
  expect(pages).toBe(Math.ceil(count / 8));
});
