// Teams from a file: previewed, imported, shown to players immediately, and undone.

import { enrol, invite } from "../support/organizer.ts";
import { expectSound } from "../support/page-checks.ts";
import { expectLive } from "../support/player.ts";
import { expect, test } from "../support/test.ts";

// The file needs its own program, so that no other team is on the scoreboard.
test.use({ own: "organize-import" });

test("teams are imported from a spreadsheet's CSV, and the import is undone", async ({
  page,
  program,
  visitor,
}) => {
  test.slow();
  const player = await visitor();
  await player.goto("/scoreboard");
  await expectLive(player);
  const table = player.getByRole("table", { name: "Scoreboard", exact: true });
  const row = table.getByRole("row").filter({ hasText: "Sea Crabs" });

  const { link } = await invite(program, "organizer");
  await enrol(page, link);
  await page.getByRole("link", { name: "Teams", exact: true }).click();
  await page.getByRole("button", { name: "Import teams…" }).click();
  const dialog = page.getByRole("dialog", { name: "Import teams from a file" });
  const field = dialog.getByLabel("CSV file");

  // One error rejects the whole file.
  const csv = (text: string) => ({
    name: "teams.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(text),
  });
  await field.setInputFiles(csv("Team;E-Mail\nSea Crabs;nobody\n"));
  await expect(dialog.getByText("Line 2, error")).toBeVisible();
  await expectSound(page, "organize-import-error");
  await expect(dialog.getByRole("button", { name: /^Import \d/ })).toHaveCount(0);

  const file = csv("Team;E-Mail\nSea Crabs;crabs@example.org\nSea Otters;otters@example.org\n");
  await field.setInputFiles(file);
  await expect(dialog.getByText("2 new teams")).toBeVisible();
  await expect(dialog.getByText(/separated by semicolons/)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page, "organize-import-preview");
  const overflow = await dialog.evaluate((box) => box.scrollWidth - box.clientWidth);
  expect(overflow, "the preview fits a phone").toBeLessThanOrEqual(0);
  await expect(row).toHaveCount(0);
  await dialog.getByRole("button", { name: "Import 2 teams" }).click();
  await expect(dialog.getByRole("heading", { name: "2 teams imported" })).toBeFocused();
  await expect(row).toBeVisible();

  await dialog.getByRole("button", { name: "Undo" }).click();
  const undo = page.getByRole("dialog", { name: /^Undo: / });
  await undo.locator(".org-do[aria-disabled=false]").click();
  await expect(undo).toHaveCount(0);
  await expect(row).toHaveCount(0);
});
