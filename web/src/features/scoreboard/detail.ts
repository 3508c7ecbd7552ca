/** The columns of the detailed board. The column objects stay the same while only values change. */
import { useMemo } from "react";
import { type Board, groupByCategory } from "../../domain/board";
import { pointsOf } from "../../domain/points";
import type { BoardDetail } from "../../ui/board-table/board-table";

function shapeOf(board: Board): Pick<BoardDetail, "groups" | "columns"> {
  const grouped = groupByCategory(board.challenges);
  return {
    groups: grouped.map(({ category, challenges }) => ({ category, span: challenges.length })),
    columns: grouped.flatMap(({ challenges }) =>
      challenges.map((challenge, index) => ({
        id: challenge.id,
        name: challenge.challengeName,
        speedrun: challenge.challengeType === "speedrun",
        opensGroup: index === 0,
      })),
    ),
  };
}

/** Groups, columns and current values; a speedrun has no single value. */
export function useBoardDetail(board: Board): BoardDetail {
  const key = JSON.stringify(shapeOf(board));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains all that matters.
  const shape = useMemo(() => shapeOf(board), [key]);
  return useMemo(() => {
    const values = board.challenges.map((challenge) => {
      const value = challenge.challengeType === "speedrun" ? null : pointsOf(challenge);
      return [challenge.id, value] as const;
    });
    return { ...shape, values: new Map(values) };
  }, [shape, board.challenges]);
}
