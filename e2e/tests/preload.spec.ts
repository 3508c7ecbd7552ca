// The server announces a page's scripts and style sheets in its headers, and the page uses them.

import { expect, test } from "../support/test.ts";

const PAGES = "/ /scoreboard /team/Anyone /rules /news /login /signup /reset".split(" ");

test("a page loads exactly the files announced in its headers", async ({ page, request }) => {
  const warnings: string[] = [];
  page.on("console", (message) => {
    if (/preload/i.test(message.text())) warnings.push(message.text());
  });
  for (const path of PAGES) {
    const links = (await request.get(path)).headers().link ?? "";
    const announced = [...links.matchAll(/<([^>]+)>/g)].map(([, address]) => address ?? "");
    expect(announced.length, path).toBeGreaterThan(0);
    for (const address of announced) expect((await request.get(address)).status()).toBe(200);
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
    );
    for (const address of announced) {
      const times = loaded.filter((one) => one === address);
      expect(times, `${path} loads ${address} once`).toHaveLength(1);
    }
  }
  expect(warnings).toEqual([]);
});
