/** The event's `[site]` settings: navigation bar, footer, custom pages and colors. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { open, PATIENT, server } from "../../fake-server";
import { accentTokens } from "./brand";

const LOGO = { src: "/brand/aa", width: 120, height: 40 };
const PAGES = [
  { slug: "prizes", title: "Prizes", place: "navigation" },
  { slug: "conduct", title: "Code of conduct", place: "footer" },
];

test("the bar has the logo and pages, the footer has pages and links", async () => {
  server.info.site = {
    logo: LOGO,
    logoDark: { ...LOGO, src: "/brand/bb" },
    pages: PAGES,
    links: [{ name: "Imprint", link: "https://example.org/imprint" }],
    sponsors: [],
  };
  server.replies["/pages/prizes"] = [200, { title: "Prizes", html: "<p>A compass.</p>" }];
  const { user } = open("/rules");
  const bar = within(await screen.findByRole("navigation", { name: "Main" }, PATIENT));
  const logos = await bar.findAllByAltText("Harbour CTF", {}, PATIENT);
  expect(logos.map((logo) => logo.getAttribute("src"))).toEqual(["/brand/aa", "/brand/bb"]);
  expect(logos[0]?.getAttribute("width")).toBe("120");
  expect(bar.queryByRole("link", { name: "Code of conduct" })).toBeNull();
  const footer = within(screen.getByRole("navigation", { name: "More about the event" }));
  const links = footer.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links).toEqual(["/news", "/pages/conduct", "https://example.org/imprint"]);
  await user.click(bar.getByRole("link", { name: "Prizes" }));
  expect(await screen.findByText("A compass.", {}, PATIENT)).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "Prizes" })).toBeTruthy();
  expect(document.title).toBe("Prizes · Harbour CTF");
});

test("an unknown custom page is not found", async () => {
  server.info.site = { pages: PAGES, links: [], sponsors: [] };
  open("/pages/none");
  expect(await screen.findByRole("heading", { name: "Page not found" }, PATIENT)).toBeTruthy();
});

test("an accent for either theme sets the text color on it", () => {
  expect(accentTokens("#07c", null)).toEqual(["#07c", "#ffffff"]);
  expect(accentTokens("#07c", "#9cf")).toEqual([
    "light-dark(#07c, #9cf)",
    "light-dark(#ffffff, #000000)",
  ]);
  expect(accentTokens("red", "#9cf")).toBeNull();
  expect(accentTokens("", null)).toBeNull();
});
