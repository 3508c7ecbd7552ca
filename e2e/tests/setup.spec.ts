// From the program alone to an event that runs, with a challenge and a team that has solved it.

import type { Locator, Page } from "@playwright/test";
import { code } from "../support/code.mjs";
import { chooseCountry, solveCaptcha } from "../support/player.ts";
import { expectSound } from "../support/sound.ts";
import { expect, test } from "../support/test.ts";

const INTERACTIONS_MAX = 40;
const MINUTES_MAX = 5;
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="9"/></svg>';

/** Counts each press of a button, tick of a box, filled field and opened address. */
function counting() {
  let count = 0;
  const counted = <Rest extends unknown[]>(
    doing: (where: Locator, ...rest: Rest) => Promise<void>,
  ) => {
    return (where: Locator, ...rest: Rest) => {
      count += 1;
      return doing(where, ...rest);
    };
  };
  return {
    count: () => count,
    more: (by: number) => {
      count += by;
    },
    open: (page: Page, address: string) => {
      count += 1;
      return page.goto(address);
    },
    press: counted((where) => where.click()),
    tick: counted((where) => where.check()),
    fill: counted((where, text: string) => where.fill(text)),
  };
}

test("the program alone leads to a running event in 40 interactions", async ({
  page,
  serve,
  visitor,
  complaints,
}) => {
  test.slow();
  const begun = Date.now();
  const program = await serve({ isBare: true });
  const person = counting();
  const link = await program.ownersLink();

  const player = await visitor(program.url);
  await player.goto("/");
  await expect(player.getByText("The event is not set up yet.")).toBeVisible();

  // The owner's account.
  await person.open(page, link);
  await person.fill(page.getByLabel("Password", { exact: true }), "a long password");
  await person.press(page.getByRole("button", { name: "Continue" }));
  const app = page.getByRole("link", { name: "Open in an app on this device" });
  const secret = new URL((await app.getAttribute("href")) ?? "").searchParams.get("secret") ?? "";
  await person.fill(page.getByLabel("Six-digit code"), code(secret));
  await person.press(page.getByRole("button", { name: "Finish" }));
  await person.tick(page.getByRole("checkbox", { name: "I have saved them" }));
  await person.press(page.getByRole("button", { name: "Continue" }));

  // Five steps.
  await expect(page).toHaveURL(/\/organize\/setup$/);
  const step = (name: string) => page.getByRole("heading", { level: 2, name });
  const save = page.getByRole("button", { name: "Save and continue" });
  await expect(step("Name and times")).toBeVisible();
  await person.fill(page.getByLabel("Name of the event"), "Harbour Cup");
  await person.press(save);
  await expect(step("Rules")).toBeVisible();
  await person.press(save);
  await expect(step("Mail")).toBeVisible();
  await person.fill(page.getByLabel("Sender"), "Harbour Cup <cup@example.org>");
  await person.fill(page.getByLabel("Send a test mail to"), "ada@example.org");
  await person.press(page.getByRole("button", { name: "Send the test mail" }));
  await expect(page.getByText("The test mail is a file in data/mail now.")).toBeVisible();
  await expectSound(page, "organize-setup-mail");
  await person.press(save);
  await expect(step("Captcha")).toBeVisible();
  // It is resumed where it was left.
  await page.reload();
  await person.press(page.getByRole("button", { name: "Skip" }));
  await expect(step("First challenge")).toBeVisible();
  await person.fill(page.getByLabel("Name of the challenge"), "Low Tide");
  await person.fill(page.getByLabel("Text", { exact: true }), "What is under the **pier**?");
  await person.fill(page.getByLabel("Flag", { exact: true }), "flag{mussels}");
  await person.press(page.getByRole("button", { name: "Make and release it" }));
  await expect(page.getByText("The event starts by itself on")).toBeVisible();
  await person.press(page.getByRole("button", { name: "Start the event now" }));
  const times = page.getByRole("dialog", { name: "Move the times of Harbour Cup" });
  await person.press(times.getByRole("button", { name: /^Start .* → / }));
  await expect(page.getByText("Harbour Cup runs.")).toBeVisible();
  await expect(page.getByText("6 of 6 steps are done.")).toBeVisible();

  // A team signs up, confirms and plays.
  const email = "crew@example.org";
  await person.open(player, "/signup");
  await person.fill(player.getByRole("textbox", { name: "Team name" }), "The Crew");
  await person.fill(player.getByRole("textbox", { name: "E-mail" }), email);
  await chooseCountry(player, "IT");
  person.more(2);
  await person.fill(player.getByLabel("Password", { exact: true }), "salt & tar 7");
  await solveCaptcha(player);
  person.more(1);
  await person.press(player.getByRole("button", { name: "Signup" }));
  await expect.poll(() => program.mailedLink(email, "confirm")).toContain("/confirm#");
  await person.open(player, (await program.mailedLink(email, "confirm")) ?? "no mail");
  await person.press(player.getByRole("button", { name: "Confirm" }));
  await expect.poll(() => program.command("team", "list")).toContain("The Crew");
  expect(person.count(), "interactions").toBeLessThanOrEqual(INTERACTIONS_MAX);
  expect(Date.now() - begun, "minutes").toBeLessThanOrEqual(MINUTES_MAX * 60_000);

  // The event is a real one: the team logs in and its flag counts.
  await player.goto("/login");
  await player.getByRole("textbox", { name: "Team", exact: true }).fill("The Crew");
  await player.getByLabel("Password", { exact: true }).fill("salt & tar 7");
  await solveCaptcha(player);
  await player.getByRole("button", { name: "Login" }).click();
  await expect.poll(async () => (await player.context().cookies()).length).toBeGreaterThan(0);
  await player.goto("/challenge");
  await expect(player.getByRole("article", { name: "Low Tide" })).toBeVisible();
  const cookies = await player.context().cookies();
  const token = cookies.find(({ name }) => name === "apitoken")?.value ?? "";
  await program.solve(token, "low-tide", "flag{mussels}");

  // A page is written on Event, its words outlive a lost network and a reload, and players see it.
  complaints.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.goto(`${program.url}/organize/event?tab=texts&page=*`);
  const text = page.locator(".org-markdown").getByRole("textbox", { name: "Text" });
  await page.getByLabel("Name in the address").fill("about");
  await text.pressSequentially("# About us\n\nThe **harbour** is open from {start} on.");
  const preview = page.getByRole("region", { name: "What players will see" });
  await expect(preview.getByRole("strong")).toHaveText("harbour");
  await expectSound(page, "organize-event-texts");
  await page.context().setOffline(true);
  await text.press("End");
  await text.pressSequentially(" Always.");
  await page.context().setOffline(false);
  await page.reload();
  await expect(text).toContainText("Always.");
  await page.getByRole("button", { name: "Save the page" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("button", { name: "Save about" }).click();
  await expect(page).toHaveURL(/page=about/);
  await player.goto("/pages/about");
  await expect(player.getByRole("heading", { name: "About us" })).toBeVisible();

  // A setting and the brand, each with what changes in its sheet.
  await page.goto(`${program.url}/organize/event?tab=brand`);
  complaints.allow(/status of 422/);
  await page.getByRole("textbox", { name: "Accent colour", exact: true }).fill("#fefefe");
  await page.getByRole("button", { name: "Save the brand" }).click();
  await expect(sheet.getByText(/needs 3:1/)).toBeVisible();
  await sheet.getByRole("button", { name: "Close" }).click();
  await page.getByRole("textbox", { name: "Accent colour", exact: true }).fill("#0077cc");
  const logo = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(LOGO) };
  await page.getByLabel("Logo", { exact: true }).setInputFiles(logo);
  await expect(page.getByText("A new file, not saved yet")).toBeVisible();
  await expectSound(page, "organize-event-brand");
  await page.getByRole("button", { name: "Save the brand" }).click();
  await sheet.getByRole("button", { name: "Save Brand" }).click();
  await expect(sheet).toHaveCount(0);
  await page.goto(`${program.url}/organize/event?tab=settings`);
  await page.getByRole("checkbox", { name: "New teams may sign up" }).uncheck();
  await expectSound(page, "organize-event-settings");
  await page.getByRole("button", { name: "Save the settings" }).first().click();
  await expect(sheet.getByText("New teams may sign up: yes → no")).toBeVisible();
  await sheet.getByRole("button", { name: "Save Registration" }).click();
  await expect(sheet).toHaveCount(0);
  await player.goto("/");
  await expect(player.locator('img[src^="/brand/"]').first()).toBeVisible();
  const late = { teamName: "Late", email: "late@example.org", country: "IT", captchaToken: "x" };
  const data = { ...late, password: "salt & tar 7" };
  const signup = await player.request.post(`${program.url}/api/signup`, { data });
  expect(signup.status()).toBe(403);
});
