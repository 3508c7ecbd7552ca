/** The vectors of `live.json`, and the reducer with gaps, repeats and old snapshots. */
import { describe, expect, test } from "vitest";
import vectors from "../../../vectors/live.json";
import { LIVE_EVENTS, type LiveMessage } from "../api/live";
import { parseMessage } from "../api/reopening-socket";
import { type Board, rankTeams } from "./board";
import {
  type BoardMessage,
  EMPTY_FEED,
  type Feed,
  type Notice,
  receive,
  type SnapshotMessage,
  withNotice,
} from "./live";

/** Parses wire messages, dropping those that do not concern the board. */
function boardMessages(values: readonly unknown[]): BoardMessage[] {
  return values
    .map((value) => parseMessage<LiveMessage>(JSON.stringify(value), LIVE_EVENTS))
    .filter((message) => message !== null)
    .filter((message) => message.event !== "error" && message.event !== "answer")
    .filter((message) => message.event !== "progress");
}

function play(messages: readonly BoardMessage[], from: Feed = EMPTY_FEED): Feed {
  return messages.reduce((feed, message) => receive(feed, message).feed, from);
}

/** The board as wire rows, in the order of ranks. */
function wireRows(board: Board) {
  const index = new Map(board.challenges.map(({ id }, place) => [id, place]));
  return rankTeams(board).map(({ team }) => {
    const pairs = [...team.solves].map(([id, { position, ts }]) => [index.get(id), [position, ts]]);
    const row = [team.teamName, team.country, Object.fromEntries(pairs), team.lastSolveTs];
    if (team.divisions) return [...row, team.award, team.divisions];
    return team.award === 0 ? row : [...row, team.award];
  });
}

/**
 * Normalizes a message: absent and undefined are the same on the wire, and an award of 0 can be
 * omitted.
 */
function asWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Without `seq` the reducer applies each delta at once. */
function unnumbered(messages: readonly object[]): object[] {
  return messages.map((message) => ({ ...message, seq: undefined }));
}

/** True if the first delta directly follows the snapshot, as on the wire. */
function followsOn([first, second]: readonly BoardMessage[]): boolean {
  return second?.seq === undefined || second.seq === (first?.seq ?? 0) + 1;
}

describe("live.json", () => {
  for (const { name, snapshot, messages, expected, ranks } of vectors) {
    const wire = [snapshot, ...messages];
    const played = boardMessages(wire);
    const alone = boardMessages(unnumbered(wire));
    const ways = followsOn(played) ? [played, alone] : [alone];
    test.each(ways.map((way) => ({ way })))(name, ({ way }) => {
      const { board } = play(way);
      if (board === null) throw new Error("no board");
      const got = { challenges: board.challenges, scoreboard: wireRows(board) };
      const rows = expected.scoreboard.map((row) =>
        row[4] === 0 && !row[5] ? row.slice(0, 4) : row,
      );
      expect(asWire(got)).toEqual(asWire({ challenges: expected.challenges, scoreboard: rows }));
      const ranked = rankTeams(board).map(({ team, points, rank }) => {
        return { teamName: team.teamName, points, rank };
      });
      expect(ranked).toEqual(ranks);
    });
  }
});

const challenge: SnapshotMessage["challenges"][number] = {
  id: "a",
  challengeName: "A",
  challengeType: "static",
  maxValue: 1,
  minValue: 1,
  speedrunValues: [],
  categories: [],
  nsolves: 0,
  fbTs: 0,
};

function snapshot(seq: number, generation = "g"): BoardMessage {
  return { event: "scoreboard", seq, generation, challenges: [challenge], scoreboard: [] };
}
function newTeam(seq: number): BoardMessage {
  return { event: "newteam", seq, teamName: `team ${seq}`, country: "UN" };
}
function names(feed: Feed): string[] {
  return feed.board?.teams.map(({ teamName }) => teamName) ?? [];
}

describe("notices", () => {
  const notice = (id: number, title: string): Notice => {
    const [at, html, challengeId, urgent] = [id, "", null, false] as const;
    const state = { correctedAt: null, withdrawn: false, withdrawnAt: null, urgentUntil: null };
    return { id, at, title, html, challengeId, urgent, ...state };
  };
  test("a new notice comes first, a known one keeps its position", () => {
    const first = withNotice([], { event: "notice", seq: 2, ...notice(1, "Lunch") });
    const both = withNotice(first, { event: "notice", seq: 3, ...notice(2, "Doors") });
    expect(both).toEqual([notice(2, "Doors"), notice(1, "Lunch")]);
    const corrected = withNotice(both, { event: "notice", seq: 4, ...notice(1, "Dinner") });
    expect(corrected).toEqual([notice(2, "Doors"), notice(1, "Dinner")]);
  });
  test("notices advance the sequence without changing the board", () => {
    const feed = play([snapshot(1)]);
    const told = receive(feed, { event: "notice", seq: 2, ...notice(1, "Lunch") });
    expect(told.feed.board).toEqual({ ...feed.board, seq: 2 });
    const status = { event: "status", challengeId: "a", status: "broken", note: "" } as const;
    expect(receive(told.feed, { ...status, seq: 3 }).feed.board).toMatchObject({ seq: 3 });
    expect(receive(told.feed, { ...status, seq: 4 }).ask).toBe("resume");
  });
});

describe("sequence numbers", () => {
  test("a repeated delta changes nothing", () => {
    const feed = play([snapshot(1), newTeam(2)]);
    expect(receive(feed, newTeam(2)).feed).toBe(feed);
  });
  test("after a gap, deltas are held and the missing ones requested once", () => {
    const feed = play([snapshot(1)]);
    const first = receive(feed, newTeam(3));
    const second = receive(first.feed, newTeam(4));
    expect([first.ask, second.ask]).toEqual(["resume", "nothing"]);
    expect(names(second.feed)).toEqual([]);
    expect(names(receive(second.feed, newTeam(2)).feed)).toEqual(["team 2", "team 3", "team 4"]);
  });
  test("a snapshot drops the held deltas it contains and applies later ones", () => {
    const feed = play([snapshot(1), newTeam(3), newTeam(5), newTeam(6), snapshot(4)]);
    expect(names(feed)).toEqual(["team 5", "team 6"]);
    expect(feed).toMatchObject({ board: { seq: 6 }, held: [] });
  });
  test("an older snapshot is ignored, unless it is from another journal", () => {
    const feed = play([snapshot(5), newTeam(6)]);
    expect(receive(feed, snapshot(4)).feed).toBe(feed);
    expect(receive(feed, snapshot(1, "other")).feed.board).toMatchObject({ seq: 1 });
  });
  test("`changed` requests the snapshot unless a newer one is already held", () => {
    const feed = play([snapshot(5)]);
    expect(receive(feed, { event: "changed", seq: 6, withinMs: 100 }).ask).toBe("fetch");
    expect(receive(feed, { event: "changed", seq: 5, withinMs: 100 }).ask).toBe("nothing");
  });
  test("deltas in any order produce the same board", () => {
    const deltas = Array.from({ length: 40 }, (_, index) => newTeam(index + 2));
    const inOrder = play([snapshot(1), ...deltas]);
    let seed = 20_231_125;
    for (let round = 0; round < 50; round += 1) {
      const shuffled = [...deltas].sort(() => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return seed / 2_147_483_648 - 0.5;
      });
      expect(play([snapshot(1), ...shuffled]), `seed ${seed}`).toEqual(inOrder);
    }
  });
});
