// Share of a page that shows nothing but its background.

import type { Page } from "@playwright/test";

const BLOCK_PX = 32;
/** Largest difference of a color channel that is still the background: smoothing of screenshots. */
const NOISE = 2;

/**
 * Share of the window's 32×32 pixel blocks below the bar that show only the page background, from 0
 * to 1. A block counts as empty if each of its pixels has the background's color.
 */
export async function emptyGround(page: Page): Promise<number> {
  const top = await page.evaluate(() => {
    // The bar of the organizer pages is a section, and their rail is beside the page.
    const ours = document.querySelector(".org > section");
    const bar = ours ?? document.querySelector("body header, body nav");
    return Math.max(0, Math.ceil(bar?.getBoundingClientRect().bottom ?? 0));
  });
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const clip = { x: 0, y: top, width, height: height - top };
  const ground = await groundColor(page);
  const png = (await page.screenshot({ clip })).toString("base64");
  // A blank page decodes the picture, because the site's policy blocks data URLs.
  const blank = await page.context().newPage();
  const share = await blank.evaluate(shareOfEmpty, { png, ground, block: BLOCK_PX, noise: NOISE });
  await blank.close();
  return share;
}

async function groundColor(page: Page): Promise<readonly number[]> {
  return page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d");
    if (!context) return [];
    const colors = [document.body, document.documentElement].map(
      (one) => getComputedStyle(one).backgroundColor,
    );
    context.fillStyle = colors.find((one) => one !== "rgba(0, 0, 0, 0)") ?? "white";
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  });
}

interface Picture {
  png: string;
  ground: readonly number[];
  block: number;
  noise: number;
}

/** Runs in a browser page. */
async function shareOfEmpty({ png, ground, block, noise }: Picture): Promise<number> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.drawImage(image, 0, 0);
  const isEmpty = (x: number, y: number) => {
    const { data } = context.getImageData(x, y, block, block);
    return data.every((one, at) => at % 4 === 3 || Math.abs(one - (ground[at % 4] ?? 0)) <= noise);
  };
  let blocks = 0;
  let empty = 0;
  for (let y = 0; y + block <= canvas.height; y += block) {
    for (let x = 0; x + block <= canvas.width; x += block) {
      blocks += 1;
      empty += isEmpty(x, y) ? 1 : 0;
    }
  }
  return empty / blocks;
}
