// From an unconfigured program to a running event, with a challenge and a team that solves it.

import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { code } from "../support/code.mjs";
import { expectSound } from "../support/page-checks.ts";
import { chooseCountry, solveCaptcha } from "../support/player.ts";
import { expect, test } from "../support/test.ts";

const INTERACTIONS_MAX = 40;
const MINUTES_MAX = 5;
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="9"/></svg>';

/** Counts each pressed button, checked box, filled field and opened URL. */
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

test("the bare program becomes a running event in 40 interactions", async ({
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
  await expect(player.getByText("This event has not been set up yet.")).toBeVisible();

  // The owner's account.
  await person.open(page, link);
  await person.fill(page.getByLabel("Password", { exact: true }), "a long password");
  await person.press(page.getByRole("button", { name: "Continue" }));
  const app = page.getByRole("link", { name: "Open in an app on this device" });
  const secret = new URL((await app.getAttribute("href")) ?? "").searchParams.get("secret") ?? "";
  await person.fill(page.getByLabel("Six-digit code"), code(secret));
  await person.press(page.getByRole("button", { name: "Finish" }));
  await person.tick(page.getByRole("checkbox", { name: "I've saved them" }));
  await person.press(page.getByRole("button", { name: "Continue" }));

  // The setup has five steps and a last page. The preview follows the typing.
  await expect(page).toHaveURL(/\/organize\/setup$/);
  const step = (name: string) => page.getByRole("heading", { level: 2, name });
  const save = page.getByRole("button", { name: "Save and continue" });
  await expect(step("Name and times")).toBeVisible();
  const home = page.getByRole("complementary", { name: "Preview" });
  await person.fill(page.getByLabel("Event name"), "Harbour Cup");
  await expect(home).toContainText("Home page of Harbour Cup.");
  // Typed values survive a reload.
  await page.reload();
  await expect(page.getByLabel("Event name")).toHaveValue("Harbour Cup");
  await expectSound(page, "organize-setup-name");
  await person.press(page.getByRole("radio", { name: "One hour before the end" }));
  await person.press(page.getByRole("radio", { name: "Yes, an organizer reveals it" }));
  await person.press(save);
  await expect(step("Rules")).toBeVisible();
  await person.press(save);
  await expect(step("Email")).toBeVisible();
  await person.fill(page.getByLabel("Sender"), "Harbour Cup <cup@example.org>");
  await person.fill(page.getByLabel("Send a test email to"), "ada@example.org");
  await person.press(page.getByRole("button", { name: "Send test email" }));
  await expect(page.getByText("The test email was written to data/mail.")).toBeVisible();
  await expectSound(page, "organize-setup-mail");
  await person.press(save);
  await expect(step("Players")).toBeVisible();
  // After a reload, the setup continues at the same step.
  await page.reload();
  await person.press(page.getByRole("radio", { name: "Yes, they share one address" }));
  await person.fill(page.getByLabel("Public address of that network"), "192.0.2.0/24");
  await person.press(save);
  await expect(step("First challenge")).toBeVisible();
  await person.fill(page.getByLabel("Challenge name"), "Low Tide");
  await person.fill(page.getByLabel("Description", { exact: true }), "What is under the **pier**?");
  await person.fill(page.getByLabel("Flag", { exact: true }), "flag{mussels}");
  await person.press(page.getByRole("button", { name: "Create and release" }));
  await expect(page.getByText("The event starts automatically on")).toBeVisible();
  // The answers are settings of the event.
  const { event, sections } = await page.evaluate(async () => {
    return (await fetch("/api/organize/settings")).json();
  });
  expect(event).toMatchObject({ name: "Harbour Cup", reveal: "manual" });
  expect(event.end - event.freeze).toBe(3_600_000);
  expect(sections.captcha.provider).toBe("altcha");
  expect(sections.limits).toMatchObject({
    signups_per_network_per_hour: 0,
    trusted_networks: ["192.0.2.0/24"],
  });
  // The last page lists a missing backup until there is one.
  const missing = page.getByRole("region", { name: "Ready for the day" });
  await expect(missing.getByRole("link", { name: "There is no backup" })).toBeVisible();
  await expect(missing.getByText("Every challenge has a flag")).toBeVisible();
  await expectSound(page, "organize-setup-start");
  await program.command("backup", join(tmpdir(), `flagship-first-${process.pid}.backup`));
  await expect(missing.getByText("There is a backup")).toBeVisible({ timeout: 20_000 });
  await expect(missing.getByRole("link", { name: "There is no backup" })).toHaveCount(0);
  await person.press(page.getByRole("button", { name: "Start event now" }));
  const times = page.getByRole("dialog", { name: "Change the times of Harbour Cup" });
  await person.press(times.getByRole("button", { name: /^Start .* → / }));
  await expect(page.getByText("Harbour Cup is running.")).toBeVisible();
  await expect(page.getByText("6 of 6 steps done.")).toBeVisible();

  // A team signs up, confirms and plays.
  const email = "crew@example.org";
  await person.open(player, "/signup");
  await person.fill(player.getByRole("textbox", { name: "Team name" }), "The Crew");
  await person.fill(player.getByRole("textbox", { name: "Email" }), email);
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

  // The event works: the team logs in and its flag is correct.
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

  // A custom page is created on the Event page. The draft survives a lost network and a reload.
  complaints.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.goto(`${program.url}/organize/event?tab=texts&page=*`);
  const text = page.locator(".org-markdown").getByRole("textbox", { name: "Content" });
  await page.getByLabel("URL slug").fill("about");
  await text.pressSequentially("# About us\n\nThe **harbour** is open from {start} on.");
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview.getByRole("strong")).toHaveText("harbour");
  await expectSound(page, "organize-event-texts");
  await page.context().setOffline(true);
  await text.press("End");
  await text.pressSequentially(" Always.");
  await page.context().setOffline(false);
  await page.reload();
  await expect(text).toContainText("Always.");
  await page.getByRole("button", { name: "Save page" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("button", { name: "Save about" }).click();
  await expect(page).toHaveURL(/page=about/);
  await player.goto("/pages/about");
  await expect(player.getByRole("heading", { name: "About us" })).toBeVisible();

  // A setting and the branding are changed; the dialog lists each change.
  await page.goto(`${program.url}/organize/event?tab=brand`);
  complaints.allow(/status of 422/);
  await page.getByRole("textbox", { name: "Accent color", exact: true }).fill("#fefefe");
  await page.getByRole("button", { name: "Save branding" }).click();
  await expect(sheet.getByText(/3:1 is required/)).toBeVisible();
  await sheet.getByRole("button", { name: "Close" }).click();
  await page.getByRole("textbox", { name: "Accent color", exact: true }).fill("#0077cc");
  const logo = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(LOGO) };
  await page.getByLabel("Logo", { exact: true }).setInputFiles(logo);
  await expect(page.getByText("New file, not saved yet")).toBeVisible();
  await expectSound(page, "organize-event-brand");
  await page.getByRole("button", { name: "Save branding" }).click();
  await sheet.getByRole("button", { name: "Save Branding" }).click();
  await expect(sheet).toHaveCount(0);
  await page.goto(`${program.url}/organize/event?tab=settings`);
  await page.getByRole("checkbox", { name: "Registration open" }).uncheck();
  await expectSound(page, "organize-event-settings");
  await page.getByRole("button", { name: "Save settings" }).first().click();
  await expect(sheet.getByText("Registration open: Yes → No")).toBeVisible();
  await sheet.getByRole("button", { name: "Save Registration" }).click();
  await expect(sheet).toHaveCount(0);
  await player.goto("/");
  await expect(player.locator('img[src^="/brand/"]').first()).toBeVisible();
  const late = { teamName: "Late", email: "late@example.org", country: "IT", captchaToken: "x" };
  const data = { ...late, password: "salt & tar 7" };
  const signup = await player.request.post(`${program.url}/api/signup`, { data });
  expect(signup.status()).toBe(403);
});
