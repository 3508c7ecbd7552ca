/**
 * The vectors of `freeze.json`, as far as the site computes: every viewer's ranks and points, from
 * the numbers it is sent.
 */
import { describe, expect, test } from "vitest";
import scenarios from "../../../vectors/freeze.json";
import { parseLive } from "../api/live-message";
import { rankTeams } from "./board";
import { EMPTY_FEED, receive } from "./live";

describe("freeze.json", () => {
  const views = scenarios.flatMap(({ name, views }) => views.map((view) => ({ name, ...view })));
  test.each(views)("$name: $viewer", ({ snapshot, ranks }) => {
    const message = parseLive(JSON.stringify(snapshot));
    if (message?.event !== "scoreboard") throw new Error("no snapshot");
    const { board } = receive(EMPTY_FEED, message).feed;
    if (board === null) throw new Error("no board");
    const ranked = rankTeams(board).map(({ team, points, rank }) => {
      return { teamName: team.teamName, points, rank };
    });
    expect(ranked).toEqual(ranks);
  });
});
