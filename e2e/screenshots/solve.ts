// The animation in the README: a team submits a flag on a phone, and a scoreboard on another device
// changes. Each frame has its real duration.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectLive } from "../support/player.ts";
import { Program } from "../support/program.ts";
import { EVENT, enter, open, openChallenges, PICTURES, play } from "./event.ts";

const PHONE = { width: 390, height: 600 };
const BOARD = { width: 860, height: 600 };
const GAP_PX = 10;
const FRAMES = join(import.meta.dirname, "../test-results/frames");
/** Recording time after the submission: until all animations have finished. */
const MOVES_MS = 3000;
/** Duration of the last frame. */
const REST_MS = 2000;

/** An unsolved challenge whose points lift the team by two ranks. */
const CHALLENGE = "first-assembly";

/** Simultaneous screenshots of both pages. */
interface Frame {
  atMs: number;
  shots: Buffer[];
}

test("a solve reaches a board", async ({ page: phone, browser }) => {
  const when = { start: -3, freeze: 3 * 3600, end: 4 * 3600 };
  const program = await Program.start({ event: EVENT, when });
  const { ours } = await play(program, { paceMs: 20 });
  const challenge = openChallenges().find(({ id }) => id === CHALLENGE);
  const board = await browser.newPage({ timezoneId: "Europe/Rome" });
  for (const page of [phone, board]) {
    await page.emulateMedia({ colorScheme: "dark" });
  }
  await enter(phone, program, ours);
  await open(phone, program, `/challenge?open=${challenge?.id}`);
  await open(board, program, "/scoreboard");
  await phone.setViewportSize(PHONE);
  await board.setViewportSize(BOARD);
  await expectLive(board);

  const frames: Frame[] = [];
  const shoot = async () => {
    const atMs = performance.now();
    const shots = await Promise.all([phone, board].map((page) => page.screenshot()));
    frames.push({ atMs, shots });
  };
  const form = phone.getByPlaceholder("flag");
  await form.scrollIntoViewIfNeeded();
  await shoot();
  for (const part of (challenge?.flag ?? "").match(/.{1,3}/g) ?? []) {
    await form.pressSequentially(part);
    await shoot();
  }
  await phone.keyboard.press("Enter");
  const end = performance.now() + MOVES_MS;
  while (performance.now() < end) {
    await shoot();
  }
  await expect(form).toHaveCount(0);
  await write(frames, await browser.newPage());
  await program.stop();
});

/** Puts both images of each frame side by side on an empty page, and writes the WebP. */
async function write(frames: Frame[], table: Page): Promise<void> {
  rmSync(FRAMES, { recursive: true, force: true });
  mkdirSync(FRAMES, { recursive: true });
  await table.setViewportSize({ width: PHONE.width + GAP_PX + BOARD.width, height: PHONE.height });
  const words = ["-loop", "0", "-lossy", "-q", "70", "-m", "6"];
  for (const [index, { atMs, shots }] of frames.entries()) {
    const sources = shots.map((shot) => `data:image/png;base64,${shot.toString("base64")}`);
    const images = sources.map((source) => `<img alt="" src="${source}">`).join("");
    const style = `margin:0;display:flex;gap:${GAP_PX}px;background:#808080`;
    await table.setContent(`<body style="${style}">${images}`);
    const file = join(FRAMES, `${String(index).padStart(3, "0")}.png`);
    writeFileSync(file, await table.screenshot());
    const lasted = (frames[index + 1]?.atMs ?? atMs + REST_MS) - atMs;
    words.push("-d", String(Math.round(lasted)), file);
  }
  execFileSync("img2webp", [...words, "-o", join(PICTURES, "solve.webp")]);
}
