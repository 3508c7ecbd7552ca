// Divisions: chosen at the signup, ranked among themselves, and set by organizers.

import type { Page } from "@playwright/test";
import { enrol, invite } from "../support/organizer.ts";
import { expectSound } from "../support/page-checks.ts";
import { signUpForm, solveCaptcha } from "../support/player.ts";
import type { Program } from "../support/program.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const DIVISIONS = `
[[divisions]]
id = "school"
name = "Schools"
group = "Kind"
join = "code"
code = "sea horse"

[[divisions]]
id = "human"
name = "Without AI"
group = "AI use"
join = "open"

[[divisions]]
id = "staff"
name = "Staff"
group = "Prize"
join = "organizers"
private = true
`;

const edit = (text: string) => text + DIVISIONS;

const WRONG = "The code of the division is missing or not valid. Check it, or ask the organizers.";

/** Sets the divisions of a team as the command line does. */
async function setDivisions(program: Program, team: string, ids: string): Promise<void> {
  const words = ["--team", team, `--divisions=${ids}`, "--reason", "a test"];
  await program.command("action", "team.divisions", ...words);
}

/** Names of the teams on the shown scoreboard, in order. */
const rows = (page: Page) => page.getByRole("table", { name: "Scoreboard" }).getByRole("rowheader");

test("a team joins an open division and one with a code", async ({ page, serve, complaints }) => {
  const program = await serve({ when: "not started", edit });
  await page.goto(`${program.url}/signup`);
  const account = { name: "Sea Pupils", email: "pupils@example.org", password: "a safe harbour" };
  await page.getByRole("combobox", { name: "AI use (optional)" }).selectOption("Without AI");
  await page.getByRole("combobox", { name: "Kind (optional)" }).selectOption("Schools");
  await expect(page.getByRole("combobox", { name: "Prize (optional)" })).toHaveCount(0);
  await signUpForm(page, account, "IT");
  const code = page.getByLabel("Code for Schools");
  await code.fill("sea snake");
  await expectSound(page, "signup-divisions");
  await solveCaptcha(page);
  complaints.allow(/422 \(Unprocessable/);
  await page.getByRole("button", { name: "Signup", exact: true }).click();
  await expect(page.getByText(WRONG)).toBeVisible();
  await code.fill("sea horse");
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Signup", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await page.goto((await program.mailedLink(account.email, "confirm")) ?? "");
  await page.getByRole("button", { name: /confirm/i }).click();
  const feed = async () => {
    const answer = await fetch(`${program.url}/api/ctftime?division=school`);
    return (await answer.json()).standings.map(({ team }: { team: string }) => team);
  };
  await expect.poll(feed).toEqual([account.name]);
});

test("a division has its ranks, its podium and its projector view", async ({ page, serve }) => {
  const program = await serve({ edit });
  const [first, second, third] = [
    await newTeam(program),
    await newTeam(program),
    await newTeam(program),
  ];
  await program.solve(first.token, "welcome", "flag{w3lc0me_ab0ard}");
  await program.solve(third.token, "welcome", "flag{w3lc0me_ab0ard}");
  await setDivisions(program, second.name, "human");
  await setDivisions(program, third.name, "human,staff");
  await page.goto(`${program.url}/scoreboard`);
  await expect(rows(page)).toHaveCount(3);
  const links = page.getByRole("navigation", { name: "Divisions" });
  await expect(links.getByRole("link", { name: "Staff" })).toHaveCount(0);
  await links.getByRole("link", { name: "Without AI" }).click();
  await expect(page).toHaveURL(`${program.url}/scoreboard?division=human`);
  await expect(rows(page)).toHaveText([third.name, second.name]);
  const row = page.getByRole("row").filter({ hasText: third.name });
  await expect(row.getByRole("cell").first()).toHaveText("1");
  await expectSound(page, "scoreboard-division");
  await page.getByRole("link", { name: "Projector view" }).click();
  await expect(page.getByRole("heading", { name: /– Without AI$/ })).toBeVisible();
  await expectSound(page, "stage-division");

  await page.goto(`${program.url}/scoreboard?division=staff`);
  await expect(page.getByText("There is no such division.")).toBeVisible();
  await expect(page.getByText("No teams yet.")).toHaveCount(0);
  await page.goto(`${program.url}/team/${encodeURIComponent(third.name)}`);
  const link = page.getByRole("link", { name: "Without AI" });
  await expect(link).toHaveAttribute("href", "/scoreboard?division=human");
  await expectSound(page, "team-divisions");
});

test("a team changes its divisions until the start", async ({ page, serve }) => {
  const program = await serve({ when: "not started", edit });
  const team = await newTeam(program);
  await enter(page, program, team);
  await page.goto(`${program.url}/account`);
  await page.getByText("Divisions", { exact: true }).click();
  await page.getByRole("combobox", { name: "AI use (optional)" }).selectOption("Without AI");
  await page.getByRole("button", { name: "Save divisions" }).click();
  const joined = async () => await (await program.call(team.token, "GET", "/account")).json();
  await expect.poll(async () => (await joined()).divisions).toEqual(["human"]);
  await expectSound(page, "account-divisions");
});

test("organizers see all divisions and choose those of a team", async ({ page, serve }) => {
  const program = await serve({ edit });
  const team = await newTeam(program);
  const { link } = await invite(program, "owner");
  await enrol(page, link);
  await page.goto(`${program.url}/organize/teams?team=${encodeURIComponent(team.name)}`);
  const panel = page.getByRole("region", { name: team.name });
  await panel.getByRole("button", { name: `More actions for ${team.name}` }).click();
  await page.getByRole("menuitem", { name: "Set divisions" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "AI use" }).selectOption("Without AI");
  await dialog.getByRole("combobox", { name: "Prize" }).selectOption("Staff (private)");
  await dialog.getByLabel(/^Reason/).fill("they asked");
  await expectSound(page, "organize-divisions-dialog");
  await dialog.getByRole("button", { name: /^Set the divisions of/ }).click();
  await expect(panel.getByRole("link", { name: "Staff (private)" })).toBeVisible();

  await page.goto(`${program.url}/organize/teams?division=staff`);
  await expect(page.getByRole("link", { name: team.name })).toBeVisible();
  await page.goto(`${program.url}/organize/event?tab=settings`);
  const list = page.getByRole("region", { name: "Divisions" });
  await expect(list.getByRole("row").filter({ hasText: "Staff (private)" })).toContainText("1");
  await expectSound(page, "organize-divisions-list");
  await page.goto(`${program.url}/organize/event?tab=results`);
  await page.getByRole("combobox", { name: "Division" }).last().selectOption("Without AI");
  const file = page.getByRole("link", { name: "Download Standings as XLSX" });
  await expect(file).toHaveAttribute("href", /standings\?division=human&format=xlsx$/);
  await expectSound(page, "organize-divisions-exports");
});
