// Hints for points, several flags, limited attempts, labels, copies of files with the team's flag,
// and team passes, as a team sees them.

import type { Page } from "@playwright/test";
import { expectSound } from "../support/page-checks.ts";
import { card, submitFlag } from "../support/player.ts";
import type { Program } from "../support/program.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const VAULT = `name: The vault
id: vault
category: Misc
description: Two keys open it.
type: standard
value: 100
flags:
  - flag{left}
  - flag{right}
logic: all
attempts: 2
difficulty: hard
tags:
  - locks
hints:
  - key: first
    title: Where to look
    content: Look *below* the mat.
    cost: 30
  - key: second
    content: The other key is under the pot.
    cost: 10
    requirements:
      - first
`;

const GATE = `name: The gate
id: gate
category: Misc
description: It is open.
type: standard
value: 100
flags:
  - flag{gate}
difficulty: easy
`;

const SHIP = `name: The ship
id: ship
category: Misc
description: Go [aboard](https://ship.example/?pass={{team_pass}}).
connection_info: nc ship.example 1337 {{team_pass}}
type: standard
value: 100
flags:
  - {type: team, content: "flag{ship_[TEAM]}"}
files:
  - {path: log.txt, per_team: true}
`;

const files = {
  "challenges/vault/challenge.yml": VAULT,
  "challenges/gate/challenge.yml": GATE,
};

const shipFiles = {
  "challenges/ship/challenge.yml": SHIP,
  "challenges/ship/log.txt": "The word is {{team_flag}}.\n",
};

/** Opens the vault as a team with the points of the gate. */
async function openVault(page: Page, program: Program) {
  const team = await newTeam(program);
  await program.solve(team.token, "gate", "flag{gate}");
  await enter(page, program, team);
  await page.goto(`${program.url}/challenge?open=vault`);
  return { vault: card(page, "The vault"), team };
}

test("a hint costs points once, and the next one needs it", async ({ page, serve }) => {
  const program = await serve({ files });
  const { vault, team } = await openVault(page, program);
  const first = vault.getByText("Hint 1 · Where to look · 30 points");
  await vault.getByText("Hint 2 · 10 points").click();
  await expect(vault.getByText("Take first: Hint 1")).toBeVisible();
  await first.click();
  await expect(vault.getByText("After taking it: 1st of 1, 70 points")).toBeVisible();
  await expectSound(page, "hint-offer");
  const list = await (await program.call(team.token, "GET", "/challenge")).text();
  expect(list).not.toContain("below");
  await vault.getByRole("button", { name: "Take hint" }).first().click();
  await expect(vault.getByText("Look below the mat.")).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: team.name });
  await expect(row).toContainText("70");
  await page.reload();
  await expect(vault.getByText(/Hint 1 · Where to look · 30 points · taken/)).toBeVisible();
  await vault.getByText("Hint 2 · 10 points").click();
  await vault.getByRole("button", { name: "Take hint" }).click();
  await expect(vault.getByText("The other key is under the pot.")).toBeVisible();
  await expect(row).toContainText("60");
});

test("a hint that the team cannot pay says so", async ({ page, serve, complaints }) => {
  complaints.allow(/409 \(Conflict\)/);
  const program = await serve({ files });
  const team = await newTeam(program);
  await enter(page, program, team);
  await page.goto(`${program.url}/challenge?open=vault`);
  const vault = card(page, "The vault");
  await vault.getByText("Hint 1 · Where to look · 30 points").click();
  await vault.getByRole("button", { name: "Take hint" }).click();
  await expect(vault.getByText(/enough points/)).toBeVisible();
  await expectSound(page, "hint-refused");
});

test("several flags and limited attempts tell their state", async ({ page, serve }) => {
  const program = await serve({ files });
  const { vault } = await openVault(page, program);
  await expect(vault.getByText("0 of 2 flags").first()).toBeVisible();
  await expect(vault.getByText("2 attempts left")).toBeVisible();
  await submitFlag(vault, "flag{left}");
  await expect(vault.getByText("Correct, 1 of 2. Find the other flags.")).toBeVisible();
  await expect(vault.getByText("1 of 2 flags").first()).toBeVisible();
  await expect(vault.getByText("2 attempts left")).toBeVisible();
  await submitFlag(vault, "flag{up}");
  await expect(vault.getByText("This is your team's last attempt.")).toBeVisible();
  await expectSound(page, "last-attempt");
  await submitFlag(vault, "flag{down}");
  const verdict = vault.getByRole("status").filter({ hasText: "Your team has no attempts left" });
  await expect(verdict).toBeVisible();
  await expect(vault.getByPlaceholder("flag")).toHaveCount(0);
  await expectSound(page, "no-attempts");
  await page.reload();
  await expect(verdict).toBeVisible();
});

test("the second of two flags solves the challenge", async ({ page, serve }) => {
  const program = await serve({ files });
  const { vault, team } = await openVault(page, program);
  await submitFlag(vault, "flag{right}");
  await expect(vault.getByText("1 of 2 flags").first()).toBeVisible();
  await submitFlag(vault, "flag{left}");
  await expect(vault.getByRole("button", { name: /The vault Solved/ })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: team.name })).toContainText("200");
});

test("labels are on the card and filter the list", async ({ page, serve }) => {
  const program = await serve({ files });
  const { vault } = await openVault(page, program);
  await expect(vault.getByRole("list", { name: "Tags" })).toContainText("locks");
  await expect(vault.getByText("Hard", { exact: true }).first()).toBeVisible();
  await page.getByRole("combobox", { name: "Difficulty" }).selectOption({ label: "Easy" });
  await expect(card(page, "The gate")).toBeVisible();
  await expect(card(page, "Welcome aboard")).toHaveCount(0);
  await expect(page).toHaveURL(/difficulty=easy/);
  await expectSound(page, "labels");
});

test("each team has its own pass and its own copy of a file", async ({ page, serve }) => {
  const program = await serve({ files: shipFiles });
  const seen = new Set<string>();
  for (const team of [await newTeam(program), await newTeam(program)]) {
    await page.context().clearCookies();
    await enter(page, program, team);
    await page.goto(`${program.url}/challenge?open=ship`);
    const ship = card(page, "The ship");
    const connection = ship.getByText(/^nc ship.example 1337 fp1\.[0-9a-f]{32}\.[\w-]{86}$/);
    const pass = (await connection.first().innerText()).split(" ").at(-1) ?? "";
    await expect(ship.getByRole("link", { name: /aboard/ })).toHaveAttribute(
      "href",
      `https://ship.example/?pass=${pass}`,
    );
    const link = await ship.getByRole("link", { name: /log\.txt/ }).getAttribute("href");
    const copy = await page.request.get(new URL(link ?? "", program.url).href);
    const flag = (await copy.text()).match(/^The word is (flag\{ship_[0-9a-f]{32}\})\.\n$/)?.[1];
    await expectSound(page, "own-copy");
    await submitFlag(ship, flag ?? "");
    await expect(ship.getByRole("button", { name: /The ship Solved/ })).toBeVisible();
    seen.add(pass).add(flag ?? "");
  }
  expect(seen.size).toBe(4);
});
