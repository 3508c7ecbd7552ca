/** The country box by keyboard and pointer, by role and label. */
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, test } from "vitest";
import { CountryBox, findCountries } from "./country-box";

afterEach(cleanup);

function open() {
  render(
    <form aria-label="Form">
      <CountryBox />
    </form>,
  );
  const box = screen.getByRole<HTMLInputElement>("combobox", { name: "Country" });
  const form = screen.getByRole<HTMLFormElement>("form", { name: "Form" });
  return { user: userEvent.setup(), box, chosen: () => new FormData(form).get("country") };
}
const options = () =>
  within(screen.getByRole("listbox", { name: "Country" })).getAllByRole("option");

test("starts with UN, and opens with every country and its flag", async () => {
  const { user, box, chosen } = open();
  expect(box.value).toBe("United Nations");
  expect(chosen()).toBe("UN");
  await user.click(box);
  expect(options().length).toBeGreaterThan(245);
  expect(box.getAttribute("aria-expanded")).toBe("true");
});

/** Replaces the text of the box. */
async function search(text: string) {
  const { user, box, ...rest } = open();
  await user.click(box);
  await user.clear(box);
  await user.type(box, text);
  return { user, box, ...rest };
}

test("typing searches and highlights the first match, arrows move on, Enter chooses", async () => {
  const { user, box, chosen } = await search("nig");
  expect(options().map((one) => one.textContent)).toEqual(["Niger", "Nigeria"]);
  expect(box.getAttribute("aria-activedescendant")).toBe(options()[0]?.id);
  expect(options().map((one) => one.dataset.highlighted)).toEqual(["true", "false"]);
  await user.keyboard("{ArrowDown}{Enter}");
  expect(box.value).toBe("Nigeria");
  expect(chosen()).toBe("NG");
  expect(screen.queryByRole("option")).toBeNull();
});

test("Enter selects the first match", async () => {
  const { user, box, chosen } = await search("ital");
  await user.keyboard("{Enter}");
  expect([box.value, chosen()]).toEqual(["Italy", "IT"]);
});

test("Tab selects the first match", async () => {
  const { user, box, chosen } = await search("fr");
  await user.tab();
  expect([box.value, chosen()]).toEqual(["France", "FR"]);
});

test("a tap elsewhere selects it too, also after the pointer has left the list", async () => {
  const { user, box, chosen } = await search("ital");
  await user.hover(options()[0] ?? box);
  await user.unhover(screen.getByRole("listbox"));
  await user.click(document.body);
  expect([box.value, chosen()]).toEqual(["Italy", "IT"]);
});

test("the button that closes the list selects it; a click into the text does not", async () => {
  const { user, box, chosen } = await search("ital");
  await user.click(box);
  expect(options()).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "All countries" }));
  expect([box.value, chosen()]).toEqual(["Italy", "IT"]);
});

test.each(["{Enter}", "{Tab}", "{Escape}"])(
  "what matches nothing goes back to the chosen country by %s",
  async (key) => {
    const { user, box, chosen } = await search("ital");
    await user.keyboard("{Enter}");
    for (const typed of ["nowhere at all", " "]) {
      await user.clear(box);
      await user.type(box, typed);
      expect(box.getAttribute("aria-activedescendant")).toBe("");
      await user.keyboard(key);
      expect([box.value, chosen()]).toEqual(["Italy", "IT"]);
      await user.click(box);
    }
  },
);

test("an opened list that is left untouched changes nothing", async () => {
  const { user, box, chosen } = open();
  await user.click(box);
  await user.tab();
  expect([box.value, chosen()]).toEqual(["United Nations", "UN"]);
});

test("a click selects", async () => {
  const { user, box, chosen } = open();
  await user.click(box);
  await user.clear(box);
  await user.type(box, "kosovo");
  await user.click(screen.getByRole("option", { name: "Kosovo" }));
  expect(chosen()).toBe("XK");
});

test("Esc keeps the selection; a missing match is reported", async () => {
  const { user, box, chosen } = await search("nowhere at all");
  expect(screen.queryByRole("option")).toBeNull();
  expect(screen.getByText("No matching country.")).toBeTruthy();
  await user.keyboard("{Escape}");
  expect(box.value).toBe("United Nations");
  await user.clear(box);
  await user.type(box, "fr{Escape}");
  expect([box.value, chosen()]).toEqual(["United Nations", "UN"]);
});

describe("findCountries", () => {
  const all = [
    { code: "CI", name: "Côte d’Ivoire" },
    { code: "DE", name: "Germany" },
    { code: "NE", name: "Niger" },
    { code: "NG", name: "Nigeria" },
    { code: "US", name: "United States" },
  ];
  const TABLE: [query: string, codes: string[]][] = [
    ["", ["CI", "DE", "NE", "NG", "US"]],
    ["cote", ["CI"]],
    ["NIGER", ["NE", "NG"]],
    ["us", ["US"]],
    ["ne", ["NE"]],
    ["ng", ["NG"]],
    ["ger", ["DE", "NE", "NG"]],
    ["atlantis", []],
  ];
  for (const [query, codes] of TABLE) {
    test(`"${query}" finds ${codes.join(", ") || "none"}`, () => {
      expect(findCountries(all, query).map(({ code }) => code)).toEqual(codes);
    });
  }
});
