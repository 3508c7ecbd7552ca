/** The columns of the detailed board. Column objects keep their identity if only points change. */
import { useMemo } from "react";
import { type Board, groupByCategory } from "../../domain/board";
import { pointsOf } from "../../domain/points";
import type { BoardDetail } from "../../ui/board-table/board-table";
import { hueOf } from "../../ui/category-sign/category-sign";

function shapeOf(board: Board): Pick<BoardDetail, "groups" | "columns"> {
  const grouped = groupByCategory(board.challenges);
  return {
    groups: grouped.map(({ category, challenges }) => ({
      category,
      span: challenges.length,
      hue: hueOf(category),
    })),
    columns: grouped.flatMap(({ category, challenges }) =>
      challenges.map((challenge, index) => ({
        id: challenge.id,
        name: challenge.challengeName,
        category,
        hue: hueOf(category),
        speedrun: challenge.challengeType === "speedrun",
        opensGroup: index === 0,
      })),
    ),
  };
}

/**
 * Groups, columns, current points and public solves; a speedrun has no single value. `known` is
 * the board without the viewer's sealed solves.
 */
export function useBoardDetail(board: Board, known: Board): BoardDetail {
  const key = JSON.stringify(shapeOf(board));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains all relevant values.
  const shape = useMemo(() => shapeOf(board), [key]);
  return useMemo(() => {
    const values = board.challenges.map((challenge) => {
      const value = challenge.challengeType === "speedrun" ? null : pointsOf(challenge);
      return [challenge.id, value] as const;
    });
    const solves = known.challenges.map(({ id, nsolves }) => [id, nsolves] as const);
    return { ...shape, values: new Map(values), solves: new Map(solves) };
  }, [shape, board.challenges, known.challenges]);
}
