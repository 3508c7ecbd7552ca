/** Updates of the board: row order, cells, and elements that are not rendered again. */
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LanguageProvider } from "../../messages/language";
import type { BoardRow } from "./board-rows";
import { type BoardDetail, BoardTable } from "./board-table";

afterEach(cleanup);

const WEB = { category: "web", hue: 240 };
const DETAIL: BoardDetail = {
  groups: [{ category: "web", span: 2, hue: 240 }],
  columns: [
    { ...WEB, id: "a", name: "Alpha", speedrun: false, opensGroup: true },
    { ...WEB, id: "s", name: "Speed", speedrun: true, opensGroup: false },
  ],
  values: new Map([["a", 100]]),
  solves: new Map([["a", 3]]),
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
  test("rows are in rank order as teams join, leave and overtake", () => {
    const { rerender } = render(table(rowsOf([["first"]])));
    for (const order of orders) {
      rerender(table(rowsOf([...order].map((name) => [name]))));
      expect(names().join("")).toBe(order);
    }
  });
  test("an overtaken row is not touched", () => {
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

test("when every row changes, lower rows follow one frame later", () => {
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

test("a team keeps its row; a new country changes the flag", () => {
  const { rerender } = render(table(rowsOf([["a"]])));
  const row = rowOf("a");
  const [there] = rowsOf([["a"]]);
  if (!there) throw new Error("no row");
  rerender(table([{ ...there, team: { ...there.team, country: "FR" } }]));
  expect(rowOf("a")).toBe(row);
  expect(
    within(row ?? document.body)
      .getByRole("img")
      .getAttribute("aria-label"),
  ).toBe("France");
});

test("the focus stays on its team when rows are rebuilt or move", () => {
  const { rerender } = render(table(rowsOf([["a"], ["b"], ["c"]])));
  screen.getByRole("link", { name: "c" }).focus();
  rerender(table(rowsOf([["c"], ["a"], ["b"]])));
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "c" }));
  const columns = DETAIL.columns.slice(0, 1);
  rerender(table(rowsOf([["a"], ["c"], ["b"]]), { ...DETAIL, columns }));
  expect(rowOf("c")?.children).toHaveLength(6);
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "c" }));
  rerender(table(rowsOf([["a"], ["b"]])));
  expect(document.activeElement).toBe(document.body);
});

describe("names above the columns", () => {
  const TABLE: [title: string, names: string[], direction: string | null][] = [
    ["rise to the right", ["Alpha", "Beta", "مفتاح"], "ltr"],
    ["rise to the left if most are right-to-left", ["مفتاح", "ألفا", "Beta"], "rtl"],
    ["are left out if there are many", Array<string>(31).fill("Alpha"), null],
  ];
  for (const [title, columnNames, direction] of TABLE) {
    test(title, () => {
      const columns = columnNames.map((name, index) => {
        return { ...WEB, id: `${index}`, name, speedrun: false, opensGroup: index === 0 };
      });
      render(table(rowsOf([["a"]]), { ...DETAIL, columns }));
      expect(screen.getByRole("table").getAttribute("data-named")).toBe(direction);
      const [first] = screen.getAllByRole("button");
      expect(first?.getAttribute("data-name")).toBe(direction && columnNames[0]);
    });
  }
});

describe("cells", () => {
  const marks = (name: string) =>
    within(rowOf(name) ?? document.body)
      .queryAllByRole("img", { name: /:/ })
      .map((mark) => mark.getAttribute("aria-label"));

  test("one per column, with a mark for each solve", () => {
    render(table(rowsOf([["a", { a: 1, s: 3 }], ["b", { a: 2, s: 4 }], ["c"]])));
    expect(rowOf("a")?.children).toHaveLength(7);
    expect(rowOf("c")?.children).toHaveLength(7);
    const time = "2023-11-14 22:13:20 UTC";
    expect(marks("a")).toEqual([`Alpha: first blood, ${time}`, `Speed: solved third, ${time}`]);
    expect(marks("b")).toEqual([`Alpha: solved, ${time}`, `Speed: solved, ${time}`]);
    expect(marks("c")).toEqual([]);
    expect(screen.getAllByTitle(time)).toHaveLength(4);
  });
  test("a solve changes only its cell; a withdrawn solve empties it", () => {
    const { rerender } = render(table(rowsOf([["a", { a: 1 }]])));
    const [cell, other] = [5, 6].map((index) => rowOf("a")?.children[index]);
    rerender(table(rowsOf([["a", { a: 1, s: 1 }]])));
    expect(rowOf("a")?.children[5]).toBe(cell);
    expect(other?.firstElementChild?.getAttribute("aria-label")).toContain("solved first");
    rerender(table(rowsOf([["a", { s: 1 }]])));
    expect(cell?.children).toHaveLength(0);
    expect(rowOf("a")?.children).toHaveLength(7);
  });
});

describe("the trend", () => {
  const trendOf = (name: string) => rowOf(name)?.children[4];
  const moved = (ranks: number[]) =>
    rowsOf(ranks.map((_, index) => [`team ${index}`])).map((row, index) => ({
      ...row,
      trend: { moved: ranks[index] ?? 0, scores: [0, 50, 100] },
    }));

  test("says in words how many ranks a team gained or lost; a team that stays has none", () => {
    const { rerender } = render(table(moved([3, -1, 0])));
    const texts = () => [0, 1, 2].map((index) => trendOf(`team ${index}`)?.textContent);
    expect(texts()).toEqual(["▲3up 3", "▼1down 1", ""]);
    expect(trendOf("team 0")?.querySelector("[aria-hidden]")?.textContent).toBe("▲3");
    rerender(table(moved([0, 1, -2])));
    expect(texts()).toEqual(["", "▲1up 1", "▼2down 2"]);
  });
  test("has a sparkline only on a wide screen", () => {
    const { unmount } = render(table(moved([0])));
    expect(trendOf("team 0")?.querySelector("svg")).toBeNull();
    unmount();
    vi.stubGlobal("matchMedia", (query: string) => media(query.includes("min-width: 80rem")));
    render(table(moved([0])));
    const lines = trendOf("team 0")?.querySelectorAll("path") ?? [];
    expect(lines[1]?.getAttribute("d")).toBe("M0 15L30 8L60 1");
    vi.unstubAllGlobals();
  });
});

const media = (matches: boolean) => ({ matches, addEventListener() {}, removeEventListener() {} });

describe("the ticks of a phone", () => {
  const ticksOf = (name: string) => {
    const strip = rowOf(name)?.querySelector("th > div > svg:last-child");
    return [...(strip?.children ?? [])].map((path) => path.getAttribute("d"));
  };
  test("one for each challenge, taller for a first blood", () => {
    vi.stubGlobal("matchMedia", (query: string) => media(query.includes("max-width: 44rem")));
    const { rerender } = render(
      table(
        rowsOf([
          ["a", { a: 1 }],
          ["b", { a: 2, s: 1 }],
        ]),
      ),
    );
    const unsolved = "M2 14V11M6 14V11";
    expect(ticksOf("a")).toEqual([unsolved, "M2 14V0", "", ""]);
    expect(ticksOf("b")).toEqual([unsolved, "", "", "M2 14V4M6 14V4"]);
    rerender(
      table(
        rowsOf([
          ["a", { a: 1, s: 2 }],
          ["b", { a: 2, s: 1 }],
        ]),
      ),
    );
    expect(ticksOf("a")).toEqual([unsolved, "M2 14V0", "", "M6 14V4"]);
    vi.unstubAllGlobals();
  });
});

describe("a new solve glows", () => {
  const glowing = () => document.querySelectorAll("td[data-new]").length;
  test("for a time, but not the solves of the first rendering", () => {
    vi.useFakeTimers();
    const { rerender } = render(table(rowsOf([["a", { a: 1 }], ["b"]])));
    expect(glowing()).toBe(0);
    rerender(table(rowsOf([["a", { a: 1, s: 1 }], ["b"]])));
    expect(glowing()).toBe(1);
    vi.advanceTimersByTime(8000);
    expect(glowing()).toBe(0);
    vi.useRealTimers();
  });
  test("unless a snapshot brings many", () => {
    const many = Array.from({ length: 13 }, (_, index) => `team ${index}`);
    const { rerender } = render(table(rowsOf(many.map((name) => [name]))));
    rerender(table(rowsOf(many.map((name) => [name, { a: 2 }]))));
    expect(glowing()).toBe(0);
  });
});

describe("the name of a column", () => {
  test("is in a tooltip while its header is pointed at or focused", async () => {
    const user = userEvent.setup();
    render(table(rowsOf([["a"]])));
    const [header] = screen.getAllByRole("button", { name: /Alpha/ });
    await user.hover(header ?? document.body);
    expect(screen.getByRole("tooltip", { hidden: true }).textContent).toContain("Alpha");
    expect(screen.getByRole("tooltip", { hidden: true }).textContent).toContain("3 solves");
    await user.unhover(header ?? document.body);
    expect(screen.getByRole("tooltip", { hidden: true }).textContent).toBe("");
  });
  test("is shown by a tap, with a button for the solvers", async () => {
    const user = userEvent.setup();
    const opened: string[] = [];
    render(
      <LanguageProvider>
        <BoardTable
          caption="Board"
          rows={rowsOf([["a"]])}
          ownRow={null}
          ownTeam={null}
          detail={DETAIL}
          onColumn={(id) => opened.push(id)}
        />
      </LanguageProvider>,
    );
    const header = screen.getByRole("button", { name: /Alpha/ });
    await user.pointer({ keys: "[TouchA]", target: header });
    expect(opened).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Solvers of Alpha", hidden: true }));
    expect(opened).toEqual(["a"]);
    await user.click(header);
    expect(opened).toEqual(["a", "a"]);
  });
});
