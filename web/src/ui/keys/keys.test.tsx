/** Shortcuts: one key, or `g` and a letter; text that is typed beside a field has no effect. */
import { cleanup, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { choosePreference, LETTER_KEYS } from "../preference/preference";
import { useKeys } from "./keys";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const KNOWN = ["?", "/", "j", "o", "g s", "g h", "g r"];

/** Presses keys on a page, and returns the shortcuts that it received. */
async function pressed(keys: string): Promise<string[]> {
  const heard: string[] = [];
  function Page() {
    useKeys((key) => {
      if (KNOWN.includes(key)) heard.push(key);
      return KNOWN.includes(key);
    });
    return <input aria-label="Field" />;
  }
  render(<Page />);
  await userEvent.setup().keyboard(keys);
  return heard;
}

for (const word of [
  "hello",
  "crumbs",
  "flag{go_jo}",
  "flags",
  "logs",
  "gg s",
  "God help us",
  "so go s",
]) {
  test(`the text "${word}" runs no shortcut`, async () => expect(await pressed(word)).toEqual([]));
}

test("a key with an effect can be followed by any shortcut", async () => {
  expect(await pressed("jjgsjogh/?")).toEqual(["j", "j", "g s", "j", "o", "g h", "/", "?"]);
});

test("after other keys, shortcuts work again", async () => {
  expect(await pressed("x{Escape}jx{Tab}{Shift>}{Tab}{/Shift}")).toEqual(["j"]);
});

test("none is heard with a modifier, or if they are turned off", async () => {
  expect(await pressed("{Control>}j{/Control}g{Alt>}s{/Alt}")).toEqual([]);
  choosePreference(LETTER_KEYS, "off");
  expect(await pressed("jgs?")).toEqual([]);
});

test("none is heard in a field", async () => {
  expect(await pressed("{Tab}jgs?")).toEqual([]);
});

test("none is heard while a menu is open", async () => {
  const menu = document.body.appendChild(document.createElement("div"));
  menu.setAttribute("popover", "auto");
  menu.dataset.open = "";
  expect(await pressed("jgs?")).toEqual([]);
  menu.remove();
});
