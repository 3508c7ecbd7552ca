/** Menu of a row with the keyboard: opened, chosen from by key, and closed. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { open, PATIENT } from "../../../fake-server";
import { signedIn } from "../fake-server";

beforeEach(() => signedIn());

const find = (role: string, name: string) => screen.findByRole(role, { name }, PATIENT);

test("a period opens the menu of the focused row, and Esc returns to its button", async () => {
  const { user } = open("/organize/challenges");
  const link = await find("link", "Crumbs");
  await user.keyboard("j");
  expect(document.activeElement).toBe(link);
  await user.keyboard(".");
  const menu = await find("menu", "Actions for Crumbs");
  const first = within(menu).getByRole("menuitem", { name: /^Edit/ });
  await waitFor(() => expect(document.activeElement).toBe(first), PATIENT);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull(), PATIENT);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Actions for Crumbs");
});

test("a key in the menu opens the dialog of its entry, which the page does not see", async () => {
  const { user } = open("/organize/challenges");
  await find("link", "Crumbs");
  await user.keyboard("j.");
  const menu = await find("menu", "Actions for Crumbs");
  await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true), PATIENT);
  await user.keyboard("k");
  expect(await find("dialog", "Set the status of Crumbs: broken")).toBeTruthy();
  expect(screen.queryByRole("menu")).toBeNull();
  expect(window.location.pathname).toBe("/organize/challenges");
});

test("the entries of a team are listed when its menu opens, dangerous ones last", async () => {
  const { user } = open("/organize/teams");
  const button = await find("button", "Actions for Otters");
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await user.click(button);
  const items = within(await find("menu", "Actions for Otters")).getAllByRole("menuitem");
  const names = items.map(({ textContent }) => textContent);
  expect(names).toContain("Renamen");
  expect(names.at(-1)).toBe("Hideh");
});
