// A third-party captcha: rendered explicitly as specified, and cleaned up. The test serves a fake
// script under the provider's URL.

import { expect, test } from "../support/test.ts";

const IFRAME_MS = 5000;

const STAND_IN = `
  window.rendered = [];
  window.resets = 0;
  window.grecaptcha = {
    render(place, options) {
      window.rendered.push(options);
      window.place = place;
      const iframe = document.createElement("iframe");
      iframe.title = "challenge";
      iframe.src = "https://www.google.com/recaptcha/api2/anchor";
      document.body.append(iframe);
      return 0;
    },
    reset() { window.resets += 1; },
  };
  window.flagshipCaptchaReady();
`;

test("the widget is rendered explicitly, light, normal, at the bottom right, and reset", async ({
  page,
  serve,
  complaints,
}) => {
  const program = await serve({
    edit: (text) => text.replace('"altcha"', '"recaptcha"\nsite_key = "public-key"'),
    environment: { FLAGSHIP_CAPTCHA_SECRET: "of no use here" },
  });
  const asked: string[] = [];
  await page.route("https://www.google.com/**", (route) => {
    asked.push(route.request().url());
    const script = route.request().url().includes("api.js");
    const frame = { contentType: "text/html", body: "<title>captcha</title>" };
    return route.fulfill(script ? { contentType: "text/javascript", body: STAND_IN } : frame);
  });
  await page.goto(`${program.url}/login`);
  const frame = page.locator('iframe[src*="google.com"]');
  await expect(frame).toHaveCount(1);
  expect(asked[0]).toContain("render=explicit");
  const options = await page.evaluate(() => JSON.stringify(Reflect.get(window, "rendered")));
  expect(JSON.parse(options)).toEqual([
    { sitekey: "public-key", theme: "light", size: "normal", badge: "bottomright" },
  ]);

  // Without a token, the page sends nothing. With one, the widget is reset after the response.
  const login = page.getByRole("button", { name: "Login" });
  await page.getByRole("textbox", { name: "Team", exact: true }).fill("Nobody Here");
  await page.getByLabel("Password", { exact: true }).fill("no password");
  await login.click();
  await expect(page.getByRole("alert")).toContainText("Invalid captcha");
  complaints.allow(/status of 401/);
  await page.route("**/api/login", (route) =>
    route.fulfill({ status: 401, json: { message: "Incorrect name or password." } }),
  );
  await page.evaluate(() => {
    const [options] = Reflect.get(window, "rendered");
    options.callback("a-token");
  });
  const sent = page.waitForRequest("**/api/login");
  await login.click();
  expect((await sent).postDataJSON()).toMatchObject({ captchaToken: "a-token" });
  await expect(page.getByRole("alert")).toContainText("Incorrect name or password.");
  expect(await page.evaluate(() => Reflect.get(window, "resets"))).toBe(1);
  await login.click();
  await expect(page.getByRole("alert")).toContainText("Invalid captcha");

  // The iframes are removed five seconds after the widget; both times are recorded.
  await page.evaluate(() => {
    const place: unknown = Reflect.get(window, "place");
    const went: { widget?: number; frame?: number } = {};
    Reflect.set(window, "went", went);
    new MutationObserver(() => {
      if (place instanceof Node && !place.isConnected) {
        went.widget ??= performance.now();
      }
      if (!document.querySelector('iframe[src*="google.com"]')) {
        went.frame ??= performance.now();
      }
    }).observe(document, { childList: true, subtree: true });
  });
  await page.getByRole("link", { name: "Rules", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rules" })).toBeVisible();
  await expect(frame).toHaveCount(0);
  const went = await page.evaluate(() => Reflect.get(window, "went"));
  expect(went.frame - went.widget).toBeGreaterThan(IFRAME_MS - 100);
  expect(went.frame - went.widget).toBeLessThan(IFRAME_MS + 2000);
});
