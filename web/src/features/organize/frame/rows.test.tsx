/** Virtualized rows: the focused row, and the keys that move the focus. */
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useRowKeys, useShortcutKeys } from "./keys";
import { RowsTable } from "./rows";

const ROW_PX = 33;
const MORE = { hasNextPage: false, isFetchingNextPage: false, fetchNextPage() {} };
const WORDS = { next: "next", previous: "previous" };
const keyOf = (rows: readonly string[], place: number) => rows[place] ?? "";

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(ROW_PX);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const draw = vi.fn((row: string) => (
  <a data-row href={`/${row}`}>
    {row}
  </a>
));
const COLUMNS = [{ word: "Row", cell: draw }];

function List({ rows }: { rows: readonly string[] }) {
  useShortcutKeys();
  useRowKeys(WORDS);
  return <RowsTable rows={rows} total={undefined} keyOf={keyOf} columns={COLUMNS} more={MORE} />;
}

const page = (rows: readonly string[]) => <List rows={rows} />;
const named = (name: string, count: number) => Array.from({ length: count }, (_, at) => name + at);

test("the focused row stays when many rows are added above it", () => {
  const rows = named("old", 200);
  const { rerender } = render(page(rows));
  expect(screen.getAllByRole("link").length).toBeLessThan(100);
  const row = screen.getByRole("link", { name: "old5" });
  act(() => row.focus());
  rerender(page([...named("new", 100), ...rows]));
  expect(document.activeElement).toBe(row);
  expect(row.closest("tr")?.getAttribute("data-index")).toBe("105");
});

test("rows pushed down do not re-render", () => {
  const rows = named("old", 10);
  const { rerender } = render(page(rows));
  draw.mockClear();
  rerender(page(["new", ...rows]));
  expect(draw.mock.calls).toEqual([["new"]]);
});

test("j continues from the focused row, or in view if that is out of view", async () => {
  render(page(named("row", 200)));
  const user = userEvent.setup();
  const focused = () => document.activeElement?.textContent;
  await user.keyboard("jj");
  expect(focused()).toBe("row1");
  await user.keyboard("k");
  expect(focused()).toBe("row0");
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(function (
    this: HTMLElement,
  ) {
    const top = (Number(this.closest("tr")?.dataset.index ?? 10) - 10) * ROW_PX;
    return new DOMRect(0, top, 100, ROW_PX - 1);
  });
  await user.keyboard("j");
  expect(focused()).toBe("row10");
  await user.keyboard("j");
  expect(focused()).toBe("row11");
});

test("a head that wraps with other rows, and so moves them, does not render forever", () => {
  let times = 0;
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(() => {
    times += 1;
    return new DOMRect(0, 200 + (times % 2) * 20, 100, ROW_PX);
  });
  render(page(named("row", 200)));
  expect(screen.getByRole("link", { name: "row0" })).toBeTruthy();
});
