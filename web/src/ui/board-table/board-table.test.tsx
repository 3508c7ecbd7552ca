/** Updates of the board: the order of its rows, their cells, and what is not rendered again. */
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LanguageProvider } from "../../messages/language";
import type { BoardRow } from "./board-rows";
import { type BoardDetail, BoardTable } from "./board-table";

afterEach(cleanup);

const DETAIL: BoardDetail = {
  groups: [{ category: "web", span: 2 }],
  columns: [
    { id: "a", name: "Alpha", speedrun: false, opensGroup: true },
    { id: "s", name: "Speed", speedrun: true, opensGroup: false },
  ],
  values: new Map([["a", 100]]),
};

type Solved = Record<string, number>;

function rowsOf(teams: [name: string, solves?: Solved][]): BoardRow[] {
  return teams.map(([teamName, solves = {}], index) => {
    const entries = Object.entries(solves).map(
      ([id, position]) => [id, { position, ts: 1_700_000_000 }] as const,
    );
    const team = { teamName, country: "IT", solves: new Map(entries) };
    return { team, rank: index + 1, points: 1000 - index };
  });
}

function table(rows: BoardRow[], detail = DETAIL) {
  return (
    <LanguageProvider>
      <BoardTable caption="Board" rows={rows} ownRow={null} ownTeam={null} detail={detail} />
    </LanguageProvider>
  );
}

const names = () => screen.getAllByRole("rowheader").map((cell) => cell.textContent);
const rowOf = (name: string) => screen.getByRole("rowheader", { name }).closest("tr");

describe("order", () => {
  const orders = ["abcde", "eabcd", "bcdea", "edcba", "cxyab", "ab", "yzcba", "abcde"];
  test("the rows stand in the order of the ranks, whoever comes, goes and passes", () => {
    const { rerender } = render(table(rowsOf([["first"]])));
    for (const order of orders) {
      rerender(table(rowsOf([...order].map((name) => [name]))));
      expect(names().join("")).toBe(order);
    }
  });
  test("a row that is passed by another is not touched", () => {
    const { rerender } = render(table(rowsOf([["a"], ["b"], ["c"], ["d"]])));
    const body = rowOf("a")?.parentElement;
    const moved: string[] = [];
    const insertBefore = body?.insertBefore.bind(body);
    vi.spyOn(body ?? document.body, "insertBefore").mockImplementation((node, next) => {
      moved.push(node.firstChild?.textContent ?? "");
      insertBefore?.(node, next);
      return node;
    });
    rerender(table(rowsOf([["d"], ["a"], ["b"], ["c"]])));
    expect(names()).toEqual(["d", "a", "b", "c"]);
    expect(moved).toEqual(["1"]);
  });
});

test("when every row changes, those below the first ones follow a frame later", () => {
  vi.useFakeTimers();
  const rows = rowsOf(Array.from({ length: 40 }, (_, index) => [`team ${index}`]));
  const { rerender } = render(table(rows));
  const points = () => rows.map(({ team }) => rowOf(team.teamName)?.children[3]?.textContent);
  rerender(table(rows.map((row) => ({ ...row, points: 7 }))));
  expect([points().slice(0, 25), points()[25]]).toEqual([Array(25).fill("7"), "975"]);
  rerender(table(rows.map((row) => ({ ...row, points: 8 }))));
  vi.runAllTimers();
  expect(points()).toEqual(Array(40).fill("8"));
  vi.useRealTimers();
});

test("a team keeps its row; another country is another flag", () => {
  const { rerender } = render(table(rowsOf([["a"]])));
  const row = rowOf("a");
  const [there] = rowsOf([["a"]]);
  if (!there) throw new Error("no row");
  rerender(table([{ ...there, team: { ...there.team, country: "FR" } }]));
  expect(rowOf("a")).toBe(row);
  expect(
    within(row ?? document.body)
      .getByRole("img")
      .getAttribute("alt"),
  ).toBe("France");
});

test("the focus stays on its team when rows are drawn anew or move", () => {
  const { rerender } = render(table(rowsOf([["a"], ["b"], ["c"]])));
  screen.getByRole("link", { name: "c" }).focus();
  rerender(table(rowsOf([["c"], ["a"], ["b"]])));
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "c" }));
  const columns = DETAIL.columns.slice(0, 1);
  rerender(table(rowsOf([["a"], ["c"], ["b"]]), { ...DETAIL, columns }));
  expect(rowOf("c")?.children).toHaveLength(5);
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "c" }));
  rerender(table(rowsOf([["a"], ["b"]])));
  expect(document.activeElement).toBe(document.body);
});

describe("cells", () => {
  const marks = (name: string) =>
    within(rowOf(name) ?? document.body)
      .queryAllByRole("img", { name: /:/ })
      .map((mark) => mark.getAttribute("aria-label"));

  test("one for each column, with a mark where the team solved", () => {
    render(table(rowsOf([["a", { a: 1, s: 3 }], ["b", { a: 2, s: 4 }], ["c"]])));
    expect(rowOf("a")?.children).toHaveLength(6);
    expect(rowOf("c")?.children).toHaveLength(6);
    const time = "2023-11-14 22:13:20 UTC";
    expect(marks("a")).toEqual([`Alpha: first blood, ${time}`, `Speed: solved third, ${time}`]);
    expect(marks("b")).toEqual([`Alpha: solved, ${time}`, `Speed: solved, ${time}`]);
    expect(marks("c")).toEqual([]);
    expect(screen.getAllByTitle(time)).toHaveLength(4);
  });
  test("a solve changes its own cell alone; a solve taken back empties it", () => {
    const { rerender } = render(table(rowsOf([["a", { a: 1 }]])));
    const [cell, other] = [4, 5].map((index) => rowOf("a")?.children[index]);
    rerender(table(rowsOf([["a", { a: 1, s: 1 }]])));
    expect(rowOf("a")?.children[4]).toBe(cell);
    expect(other?.firstElementChild?.getAttribute("aria-label")).toContain("solved first");
    rerender(table(rowsOf([["a", { s: 1 }]])));
    expect(cell?.children).toHaveLength(0);
    expect(rowOf("a")?.children).toHaveLength(6);
  });
});
