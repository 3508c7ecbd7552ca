// Bytes of a first visit, on the wire.

import { EVENT, play } from "../screenshots/event.ts";
import { Program } from "../support/program.ts";
import { expect, test } from "../support/test.ts";

const KB = 1000;
const BYTES_MAX = { "/": 150 * KB, "/scoreboard": 190 * KB };

test("a first visit to Home loads at most 150 kB, to the scoreboard 190 kB", async ({
  browser,
}) => {
  const program = await Program.start({ event: EVENT, when: "running" });
  await play(program);
  for (const [path, bytesMax] of Object.entries(BYTES_MAX)) {
    const context = await browser.newContext({ baseURL: program.url });
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send("Network.enable");
    const bytes = new Map<string, number>();
    const urls = new Map<string, string>();
    network.on("Network.requestWillBeSent", ({ requestId, request }) => {
      urls.set(requestId, request.url.replace(program.url, ""));
    });
    network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      bytes.set(urls.get(requestId) ?? requestId, encodedDataLength);
    });
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(bytes.size).toBeGreaterThan(5);
    const sum = [...bytes.values()].reduce((sum, one) => sum + one, 0);
    const largest = [...bytes].sort(([, a], [, b]) => b - a).slice(0, 12);
    const list = largest.map(([url, size]) => `${size} ${url}`).join("\n");
    console.log(`${path}: ${sum} bytes in ${bytes.size} requests\n${list}`);
    expect.soft(sum, `${path}\n${list}`).toBeLessThanOrEqual(bytesMax);
    await context.close();
  }
  await program.stop();
});
