// The editor of challenges: from nothing to a challenge that a player solves, and what a player
// sees of it before anybody else does.

import { enrol, invite } from "../support/organizer.ts";
import { card } from "../support/player.ts";
import { expectSound } from "../support/sound.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

test.use({ own: "organize-editor" });

test("a challenge with text, file, flag and hint is made, released and solved", async ({
  page,
  program,
  visitor,
}) => {
  test.slow();
  const { link } = await invite(program, "organizer");
  await enrol(page, link);
  await page.goto(`${program.url}/organize/challenges`);
  await page.getByRole("link", { name: "New challenge" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Sunken Bell");
  await expect(page.getByLabel("Id", { exact: true })).toHaveValue("sunken-bell");
  await page.getByLabel("Category").fill("misc");
  // The policy of the site allows no inline styles: the editor brings its own all the same.
  const text = page.locator(".org-markdown").getByRole("textbox", { name: "Text" });
  await expect(text).toHaveCSS("font-family", /mono/i);
  await text.click();
  await page.keyboard.type("Hear the **bell**. g c");
  await page.getByLabel("Flag 1", { exact: true }).fill("flag{d1ng}");
  await page.getByRole("button", { name: "Add a hint" }).click();
  await page.getByLabel("Hint 1", { exact: true }).fill("Listen *again*.");
  const bytes = Buffer.from("ding dong");
  await page
    .getByLabel("Add files")
    .setInputFiles({ name: "bell.txt", mimeType: "text/plain", buffer: bytes });
  await expect(page.getByText(/SHA-256 .* not saved yet/)).toBeVisible();
  const preview = page.getByRole("region", { name: "What players will see" });
  await expect(preview.getByText("bell", { exact: true })).toHaveCSS("font-weight", "700");
  await expect(preview.getByText("bell.txt")).toBeVisible();
  await expect(preview.getByText("again")).toBeVisible();
  await expectSound(page, "organize-editor");

  // Who leaves and comes back has lost no word.
  await page.getByRole("link", { name: "Back to the challenges" }).click();
  await page.getByRole("link", { name: "New challenge" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Sunken Bell");
  await expect(text).toHaveText("Hear the **bell**. g c");
  await page.getByLabel("Author").focus();
  await page.keyboard.press("Control+Enter");
  const sheet = page.getByRole("dialog", { name: "Make Sunken Bell" });
  await sheet.getByRole("button", { name: "Make Sunken Bell: no team moves" }).click();
  await expect(page).toHaveURL(/\/organize\/challenges\/sunken-bell\/edit$/);
  await expect(page.getByText("Nothing is changed.")).toBeVisible();

  // What check says stands beside its field.
  await page.getByRole("button", { name: "Remove flag 1" }).click();
  const flags = page.getByRole("group", { name: "Flags" });
  await expect(flags.getByText("this challenge has no flag")).toBeVisible();
  await page.getByRole("button", { name: "Discard what was typed" }).click();
  await page.getByRole("textbox", { name: "Flag", exact: true }).fill("flag{d1ng}");
  await page.getByRole("button", { name: "Try", exact: true }).click();
  await expect(page.getByText("Right, by flag 1.")).toBeVisible();

  await page.getByRole("button", { name: "Release" }).click();
  const release = page.getByRole("dialog", { name: "Release Sunken Bell" });
  await release.getByRole("button", { name: "Release Sunken Bell: no team moves" }).click();
  const team = await newTeam(program);
  const player = await visitor();
  await enter(player, program, team);
  await player.goto("/challenge");
  const bell = card(player, "Sunken Bell");
  await bell.getByRole("button", { name: "Sunken Bell" }).click();
  await expect(bell.getByText("bell", { exact: true })).toBeVisible();
  const download = player.waitForEvent("download");
  await bell.getByRole("link", { name: "bell.txt" }).click();
  expect((await download).suggestedFilename()).toBe("bell.txt");
  await program.solve(team.token, "sunken-bell", "flag{d1ng}");

  // The list's other tab, and the parts of the event.
  for (const path of ["challenges?as=graph", "event?tab=files"]) {
    await page.goto(`${program.url}/organize/${path}`);
    if (path.endsWith("files")) await page.getByText("Sunken Bell").click();
    await expectSound(page, `organize-${path.replace(/\W+/g, "-")}`);
  }
});
