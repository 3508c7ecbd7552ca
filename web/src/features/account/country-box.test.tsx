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
      <button type="reset">Reset</button>
    </form>,
  );
  const box = screen.getByRole<HTMLInputElement>("combobox", { name: "Country" });
  const form = screen.getByRole<HTMLFormElement>("form", { name: "Form" });
  return { user: userEvent.setup(), box, chosen: () => new FormData(form).get("country") };
}
const options = () =>
  within(screen.getByRole("listbox", { name: "Country" })).getAllByRole("option");

test("it begins with UN and opens with every country, each with its flag", async () => {
  const { user, box, chosen } = open();
  expect(box.value).toBe("United Nations");
  expect(chosen()).toBe("UN");
  await user.click(box);
  expect(options().length).toBeGreaterThan(245);
  expect(box.getAttribute("aria-expanded")).toBe("true");
});

test("typing searches, arrows and Enter choose", async () => {
  const { user, box, chosen } = open();
  await user.click(box);
  await user.clear(box);
  await user.type(box, "ital");
  expect(options().map((one) => one.textContent)).toEqual(["Italy"]);
  await user.keyboard("{ArrowDown}{Enter}");
  expect(box.value).toBe("Italy");
  expect(chosen()).toBe("IT");
  expect(screen.queryByRole("option")).toBeNull();
});

test("a click chooses; a reset of the form brings UN back", async () => {
  const { user, box, chosen } = open();
  await user.click(box);
  await user.clear(box);
  await user.type(box, "kosovo");
  await user.click(screen.getByRole("option", { name: "Kosovo" }));
  expect(chosen()).toBe("XK");
  await user.click(screen.getByRole("button", { name: "Reset" }));
  expect(chosen()).toBe("UN");
  expect(box.value).toBe("United Nations");
});

test("Esc and leaving keep the choice; what was typed was only a search", async () => {
  const { user, box, chosen } = open();
  await user.click(box);
  await user.clear(box);
  await user.type(box, "nowhere at all");
  expect(screen.queryByRole("option")).toBeNull();
  expect(screen.getByText("No country has this in its name.")).toBeTruthy();
  await user.keyboard("{Escape}");
  expect(box.value).toBe("United Nations");
  await user.clear(box);
  await user.type(box, "fr");
  await user.tab();
  expect(box.value).toBe("United Nations");
  expect(chosen()).toBe("UN");
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
