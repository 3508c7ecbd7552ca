// All requests of the page: path, headers, body and purpose.

import { card, logIn, submitFlag } from "../support/player.ts";
import { expect, test } from "../support/test.ts";

const ACCOUNT = { name: "Wire Tappers", email: "wire@example.org", password: "dit dah dit" };

test("the calls of a session: own origin, the token only in X-Api-Key, JSON bodies", async ({
  page,
  program,
}) => {
  await program.importTeams([{ ...ACCOUNT, country: "FR" }]);
  const calls: {
    call: string;
    key: string | undefined;
    type: string | undefined;
    body: unknown;
  }[] = [];
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== program.url) elsewhere.push(request.url());
    if (!pathname.startsWith("/api/")) return;
    const headers = request.headers();
    calls.push({
      call: `${request.method()} ${pathname.slice("/api".length)}`,
      key: headers["x-api-key"],
      type: headers["content-type"],
      body: request.postDataJSON(),
    });
  });
  const last = (call: string) => calls.findLast((one) => one.call === call);

  await logIn(page, ACCOUNT);
  await expect(page).toHaveURL(`${program.url}/`);
  const token = (await page.context().cookies())[0]?.value;
  expect(calls.find(({ call }) => call === "GET /ctf")).toMatchObject({ key: "" });
  expect(last("POST /login")).toMatchObject({
    type: "application/json",
    body: { team: ACCOUNT.name, password: ACCOUNT.password, captchaToken: expect.any(String) },
  });
  expect(Object.keys(Object(last("POST /login")?.body))).toHaveLength(3);
  expect(last("GET /ctf")).toMatchObject({ key: token });

  await page.getByRole("link", { name: "Press play to compete." }).click();
  const challenge = card(page, "Rising tide");
  await challenge.getByRole("button", { name: "Rising tide" }).click();
  expect(last("GET /challenge")).toMatchObject({ key: token });
  await submitFlag(challenge, "any <text> at all & 🐙");
  await expect(challenge.getByRole("status")).toHaveText(/incorrect/i);
  expect(last("POST /solve")).toEqual({
    call: "POST /solve",
    key: token,
    type: "application/json",
    body: { flag: "any <text> at all & 🐙", challengeId: "tide" },
  });
  await page.getByRole("link", { name: "Logout" }).click();
  await expect.poll(() => last("POST /logout")).toMatchObject({ key: token });
  expect(elsewhere).toEqual([]);
  // The token is in no URL and no body.
  expect(JSON.stringify(calls.map(({ call, body }) => [call, body]))).not.toContain("fsp_");
});
