/**
 * The vectors of `freeze.json`: every viewer's ranks and points, computed from the data that the
 * server sends to that viewer.
 */
import { describe, expect, test } from "vitest";
import scenarios from "../../../vectors/freeze.json";
import { LIVE_EVENTS, type LiveMessage } from "../api/live";
import { parseMessage } from "../api/reopening-socket";
import { type Board, rankTeams } from "./board";
import { firstSolvers } from "./first-solvers";
import { EMPTY_FEED, receive } from "./live";

interface Missing {
  challengeId: string | undefined;
  teamName: unknown;
}

/** The board with these solves, and the awards of these teams, marked as hidden from others. */
function markLater(board: Board, missing: readonly Missing[], awards: readonly unknown[]): Board {
  const teams = board.teams.map((team) => {
    const solves = new Map(team.solves);
    const laterAward = awards.includes(team.teamName) && { laterAward: true as const };
    for (const { challengeId } of missing.filter(({ teamName }) => teamName === team.teamName)) {
      const solve = solves.get(challengeId ?? "");
      if (solve && challengeId) solves.set(challengeId, { ...solve, later: true });
    }
    return { ...team, solves, ...laterAward };
  });
  return { ...board, teams };
}

/** The board after these messages of the live channel. */
function boardOf(messages: readonly unknown[]): Board {
  let feed = EMPTY_FEED;
  for (const one of messages) {
    const message = parseMessage<LiveMessage>(JSON.stringify(one), LIVE_EVENTS);
    if (!message) throw new Error("no message");
    const { event } = message;
    if (event !== "scoreboard" && event !== "solve" && event !== "award") {
      throw new Error("no delta");
    }
    feed = receive(feed, message).feed;
  }
  if (feed.board === null) throw new Error("no board");
  return feed.board;
}

describe("freeze.json", () => {
  const views = scenarios.flatMap(({ name, views }) => views.map((view) => ({ name, ...view })));
  test.each(views)("$name: $viewer", ({ snapshot, ranks }) => {
    const ranked = rankTeams(boardOf([snapshot])).map(({ team, points, rank }) => {
      return { teamName: team.teamName, points, rank };
    });
    expect(ranked).toEqual(ranks);
  });

  const divided = views.filter((view) => "divisions" in view);
  test.each(divided)("$name: $viewer: divisions", ({ snapshot, ...view }) => {
    const board = boardOf([snapshot]);
    const divisions = Object.entries("divisions" in view ? view.divisions : {});
    expect(divisions.length).toBeGreaterThan(0);
    for (const [id, { ranks, firsts }] of divisions) {
      const teams = board.teams.filter((team) => team.divisions?.includes(id));
      const ranked = rankTeams({ ...board, teams }).map(({ team, points, rank }) => {
        return { teamName: team.teamName, points, rank };
      });
      expect(ranked).toEqual(ranks);
      const own = firstSolvers(board, id).flatMap((first) =>
        first.division === null ? [] : [[first.id, first.division]],
      );
      expect(Object.fromEntries(own)).toEqual(firsts);
    }
  });

  const own = scenarios.flatMap(({ name, views }) => {
    const everyone = views.find(({ viewer }) => viewer === "public")?.snapshot;
    const teams = views.filter(({ viewer }) => viewer === "team");
    return teams.map((view) => ({ name, ...view, everyone }));
  });
  test.each(own)("$name: the public board and own solves: $viewer $team", (view) => {
    const teamOf = new Map(view.snapshot.scoreboard.map((row) => [row[0], row]));
    const ids = view.snapshot.challenges.map(({ id }) => id);
    const publicRows = view.everyone?.scoreboard ?? [];
    // A hidden team has its own board and is on no other.
    if (publicRows.length !== view.snapshot.scoreboard.length) return;
    const missing = publicRows.flatMap((row) => {
      const [teamName, , had] = row;
      const solves = Object.entries(teamOf.get(teamName)?.[2] ?? {});
      return solves
        .filter(([index]) => !(index in Object(had)))
        .map(([index, pair]) => ({
          event: "solve",
          challengeId: ids[Number(index)],
          teamName,
          ts: Array.isArray(pair) ? Number(pair[1]) : 0,
        }));
    });
    missing.sort((a, b) => a.ts - b.ts);
    const awards = publicRows.flatMap(([teamName, , , , had = 0]) => {
      const award = Number(teamOf.get(teamName)?.[4] ?? 0);
      return award === had ? [] : [{ event: "award", teamName, award }];
    });
    const seen = boardOf([view.everyone, ...missing, ...awards]);
    const wanted = boardOf([view.snapshot]);
    const later = awards.map(({ teamName }) => teamName);
    expect(rankTeams(seen)).toEqual(rankTeams(markLater(wanted, missing, later)));
    expect(seen.challenges).toEqual(wanted.challenges);
  });
});
