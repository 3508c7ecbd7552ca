// A team's account page.

import { expectSound } from "../support/page-checks.ts";
import { logIn, solveCaptcha } from "../support/player.ts";
import { expect, test } from "../support/test.ts";

test("a team changes its account: members, country, password, email and sessions", async ({
  page,
  program,
  visitor,
  complaints,
}) => {
  test.slow();
  const name = `Captains ${process.pid}`;
  const account = { name, email: `cap-${process.pid}@example.org`, password: "salt & tar 7" };
  await program.importTeams([{ ...account, country: "UN" }]);
  await logIn(page, account);
  const logout = page.getByRole("link", { name: "Logout" });
  await expect(logout).toBeVisible();
  await page.goto(`${program.url}/account`);
  const part = (title: string) => page.getByRole("region", { name: title });
  const said = (text: string) => page.getByRole("status").filter({ hasText: text });
  await expect(part("Progress")).toContainText(/0 of \d+ solved/);

  await part("Team members").getByLabel("Member 2").fill("Ada Lovelace");
  await part("Team members").getByRole("button", { name: "Save members" }).click();
  await expect(said("Saved.")).toBeVisible();
  await expect(part("Team members").getByLabel("Member 1")).toHaveValue("Ada Lovelace");

  const country = part("Country").getByRole("combobox", { name: "Country" });
  await country.fill("kosovo");
  await country.press("Enter");
  await part("Country").getByRole("button", { name: "Save country" }).click();
  await part("Progress")
    .getByRole("link", { name: /public team page/ })
    .click();
  await expect(page.getByRole("main")).toContainText("Kosovo");
  await page.goBack();

  // One device is logged out by its button, the next one by the new password.
  const phone = await visitor(program.url);
  await phone.setViewportSize({ width: 390, height: 844 });
  await logIn(phone, account);
  await expect(phone).not.toHaveURL(/\/login/);
  await page.reload();
  // The newest session is first; the last one is the token from the import.
  const sessions = part("Active sessions").getByRole("listitem");
  await expect(sessions).toHaveCount(3);
  await sessions
    .first()
    .getByRole("button", { name: /^Log out/ })
    .click();
  await expect(sessions).toHaveCount(2);
  complaints.allow(/status of 40[13]/);
  await phone.goto("/account");
  await expect(phone).toHaveURL(/\/login/);
  await phone.getByRole("textbox", { name: "Team", exact: true }).fill(name);
  await phone.getByLabel("Password", { exact: true }).fill(account.password);
  await solveCaptcha(phone);
  await phone.getByRole("button", { name: "Login" }).click();
  // On a phone the forms are folded.
  const folded = phone.getByRole("region", { name: "Password" });
  await expect(folded).toBeVisible();
  await expect(folded.getByLabel("New password")).toBeHidden();
  await folded.getByText("Password", { exact: true }).first().click();
  await expect(folded.getByLabel("New password")).toBeVisible();

  const password = part("Password");
  for (const entered of ["not this one", account.password]) {
    await password.getByLabel("Current password").fill(entered);
    await password.getByLabel("New password").fill("a new tide comes in");
    await password.getByRole("button", { name: "Change password" }).click();
    const right = said("Password changed.");
    const wrong = page.getByRole("alert").filter({ hasText: "Incorrect current password" });
    await expect(entered === account.password ? right : wrong).toBeVisible();
  }
  await phone.goto("/account");
  await expect(phone).toHaveURL(/\/login/);
  await expect(logout).toBeVisible();
  await expect(sessions).toHaveCount(1);

  const email = part("Email");
  const next = `next-${account.email}`;
  await email.getByLabel("New email").fill(next);
  await email.getByLabel("Current password").fill("a new tide comes in");
  await email.getByRole("button", { name: /confirmation link/ }).click();
  await expect(email).toContainText(`We sent a confirmation link to ${next}.`);
  await expect.poll(() => program.mailedLink(next, "address")).toContain(program.url);
  await page.goto((await program.mailedLink(next, "address")) ?? "no mail");
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.getByRole("main").getByRole("link", { name: "Your team" }).click();
  await expect(email.getByText(next, { exact: true })).toBeVisible();
  await expect.poll(() => program.mailedLink(account.email, "stop")).toContain("/stop#");
  await expectSound(page, "account");
});
