// The page of a team's own account, as its captain goes through it.

import { logIn, solveCaptcha } from "../support/player.ts";
import { expectSound } from "../support/sound.ts";
import { expect, test } from "../support/test.ts";

test("a team changes its account: people, country, password, e-mail, and who is logged in", async ({
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
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
  await link.click();
  await expect(page).toHaveURL(`${program.url}/account`);
  await expect(link).toHaveAttribute("aria-current", "page");
  const part = (title: string) => page.getByRole("region", { name: title });
  const said = (text: string) => page.getByRole("status").filter({ hasText: text });
  await expect(part("Progress")).toContainText(/0 of \d+ solved/);

  await part("People of the team").getByLabel("Name 2").fill("Ada Lovelace");
  await part("People of the team").getByRole("button", { name: "Save the names" }).click();
  await expect(said("It is saved.")).toBeVisible();
  await expect(part("People of the team").getByLabel("Name 1")).toHaveValue("Ada Lovelace");

  const country = part("Country").getByRole("combobox", { name: "Country" });
  await country.fill("kosovo");
  await country.press("Enter");
  await part("Country").getByRole("button", { name: "Save the country" }).click();
  await part("Progress")
    .getByRole("link", { name: /as everyone sees it/ })
    .click();
  await expect(page.getByRole("main")).toContainText("Kosovo");
  await page.goBack();

  // Another device is logged out by its button, the next one by the new password.
  const phone = await visitor(program.url);
  await phone.setViewportSize({ width: 390, height: 844 });
  await logIn(phone, account);
  await expect(phone).not.toHaveURL(/\/login/);
  await page.reload();
  // The newest first; the last is the token of the import.
  const sessions = part("Where you are logged in").getByRole("listitem");
  await expect(sessions).toHaveCount(3);
  await sessions.first().getByRole("button", { name: /^End/ }).click();
  await expect(sessions).toHaveCount(2);
  complaints.allow(/status of 40[13]/);
  await phone.goto("/account");
  await expect(phone).toHaveURL(/\/login/);
  await phone.getByRole("textbox", { name: "Team", exact: true }).fill(name);
  await phone.getByLabel("Password", { exact: true }).fill(account.password);
  await solveCaptcha(phone);
  await phone.getByRole("button", { name: "Login" }).click();
  await expect(phone.getByRole("region", { name: "Password" })).toBeVisible();

  const password = part("Password");
  for (const present of ["not this one", account.password]) {
    await password.getByLabel("Present password").fill(present);
    await password.getByLabel("New password").fill("a new tide comes in");
    await password.getByRole("button", { name: "Change the password" }).click();
    const right = said("The new password is set.");
    const wrong = page.getByRole("alert").filter({ hasText: "not your team's present password" });
    await expect(present === account.password ? right : wrong).toBeVisible();
  }
  await phone.goto("/account");
  await expect(phone).toHaveURL(/\/login/);
  await expect(link).toBeVisible();
  await expect(sessions).toHaveCount(1);

  const email = part("E-mail");
  const next = `next-${account.email}`;
  await email.getByLabel("New e-mail").fill(next);
  await email.getByLabel("Present password").fill("a new tide comes in");
  await email.getByRole("button", { name: /new e-mail/ }).click();
  await expect(email).toContainText(`A link was sent to ${next}.`);
  await expect.poll(() => program.mailedLink(next, "address")).toContain(program.url);
  await page.goto((await program.mailedLink(next, "address")) ?? "no mail");
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.getByRole("main").getByRole("link", { name: "Your team" }).click();
  await expect(email.getByText(next, { exact: true })).toBeVisible();
  await expect.poll(() => program.mailedLink(account.email, "stop")).toContain("/stop#");
  await expectSound(page, "account");
});
