/** The sponsors on the home page. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { open, PATIENT, server } from "../../fake-server";
import { byTier } from "./sponsors";

const LOGO = { src: "/brand/aa", width: 120, height: 40 };

test("sponsors are listed by tier, with logo or name", async () => {
  const harbour = { name: "The Harbour", link: "https://a.example/", tier: "Gold", logo: LOGO };
  const sponsors = [harbour, { name: "A Friend" }, { name: "Ropes", tier: "Gold" }];
  server.info.site = { pages: [], links: [], sponsors };
  open("/");
  const section = within(await screen.findByRole("region", { name: "Sponsors" }, PATIENT));
  expect(section.getByRole("heading", { level: 3 }).textContent).toBe("Gold");
  const link = section.getByRole("link", { name: "The Harbour" });
  expect(link.getAttribute("href")).toBe("https://a.example/");
  const names = byTier(sponsors).map(([tier, of]) => [tier, of.map(({ name }) => name)]);
  expect(names).toEqual([
    ["Gold", ["The Harbour", "Ropes"]],
    ["", ["A Friend"]],
  ]);
});
