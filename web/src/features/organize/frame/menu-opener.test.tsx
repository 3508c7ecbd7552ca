/** Menus that are created when they open: their button's state, and where the focus goes. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { open, PATIENT } from "../../../fake-server";
import { signedIn } from "../fake-server";

beforeEach(() => signedIn());

const find = (role: string, name: string) => screen.findByRole(role, { name }, PATIENT);

const hasFocus = (element: HTMLElement | undefined) =>
  waitFor(() => expect(document.activeElement).toBe(element), PATIENT);

test.each([
  ["{Enter}", 0],
  ["{ArrowDown}", 0],
  ["{ArrowUp}", -1],
])("%s opens the menu of the account, and Esc returns to its button", async (key, focused) => {
  const { user } = open("/organize/teams");
  const button = await find("button", "Menu of Ada");
  expect(button.getAttribute("aria-haspopup")).toBe("menu");
  expect(button.getAttribute("aria-expanded")).toBe("false");
  button.focus();
  await user.keyboard(key);
  const menu = await find("menu", "Menu of Ada");
  expect(button.getAttribute("aria-expanded")).toBe("true");
  expect(button.getAttribute("aria-controls")).toBe(menu.id);
  await hasFocus(within(menu).getAllByRole("menuitem").at(focused));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await hasFocus(button);
});

test("a second click on the button closes the menu, and so does its last level", async () => {
  const { user } = open("/organize/teams");
  const button = await find("button", "Menu of Ada");
  await user.click(button);
  await find("menu", "Menu of Ada");
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  await user.keyboard("F");
  const filter = await find("menu", "Filter");
  await hasFocus(within(filter).getAllByRole("menuitem")[0]);
  await user.keyboard("{ArrowRight}");
  await find("menu", "Status");
  await user.keyboard("{ArrowDown}{Enter}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  expect(window.location.search).toContain("standing=");
});
