/** Rank changes as rows: order, length and columns. */
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { TeamMove } from "../../../api/organize-lists";
import { RankChangesTable } from "./rank-changes";

afterEach(cleanup);

const place = (rank: number, points = 100) => ({ rank, points });
const gone = (at: number): TeamMove => ({ teamName: `Gone ${at}`, from: place(at), to: null });
const up = (at: number): TeamMove => ({
  ...{ teamName: `Up ${at}`, from: place(at + 40), to: place(at) },
});

/** Names of the teams in the table. */
const names = () => screen.getAllByRole("rowheader").map(({ textContent }) => textContent);

test("forty teams that leave take three rows, and open in place", () => {
  const moves = [...Array.from({ length: 40 }, (_, at) => gone(at + 1)), up(1), up(2)];
  render(<RankChangesTable effect={{ truth: moves, public: moves, firstBloods: [] }} />);
  expect(names()).toEqual(["Gone 1", "Gone 2", "Gone 3", "Up 1", "Up 2"]);
  const more = screen.getByRole("button", { name: "and 37 more" });
  expect(more.getAttribute("aria-expanded")).toBe("false");
  fireEvent.click(more);
  expect(names()).toHaveLength(42);
  fireEvent.click(screen.getByRole("button", { name: "Show fewer" }));
  expect(names()).toHaveLength(5);
});

test("one column while public and unfrozen ranks are the same, else two", () => {
  const moves = [up(8)];
  const effect = (shown: TeamMove[]) => ({ truth: moves, public: shown, firstBloods: [] });
  const { rerender } = render(<RankChangesTable effect={effect(moves)} />);
  const row = () => within(screen.getByRole("row", { name: /Up 8/ }));
  expect(screen.getAllByRole("columnheader").map((it) => it.textContent)).toEqual([
    ...["Team", "Rank", "Points"],
  ]);
  expect(
    row()
      .getAllByRole("cell")
      .map((it) => it.textContent),
  ).toEqual(["#48 → #8▲", "100"]);
  rerender(<RankChangesTable effect={effect([])} />);
  expect(screen.queryByText("Public view")).toBeNull();
  rerender(<RankChangesTable effect={effect([{ ...up(8), to: place(9) }])} />);
  expect(screen.getAllByRole("columnheader").map((it) => it.textContent)).toEqual([
    ...["Team", "Unfrozen", "Public view", "Points"],
  ]);
  const cells = row()
    .getAllByRole("cell")
    .map((it) => it.textContent);
  expect(cells).toEqual(["#48 → #8▲", "#48 → #9▲", "100"]);
});

test("points lost and gained are stated with their sign", () => {
  const moves = [
    { teamName: "Lost", from: place(4, 100), to: place(6, 40) },
    { teamName: "Won", from: place(6, 40), to: place(4, 70) },
  ];
  render(<RankChangesTable effect={{ truth: moves, public: moves, firstBloods: [] }} />);
  expect(screen.getByRole("row", { name: /^Lost/ }).textContent).toBe("Lost#4 → #6▼100 → 40−60");
  expect(screen.getByRole("row", { name: /^Won/ }).textContent).toBe("Won#6 → #4▲40 → 70+30");
});
