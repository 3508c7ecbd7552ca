/**
 * The reducer of the live channel: computes the board from the messages that the channel receives,
 * and decides what to request after a gap. Pure: no socket, no clock.
 */
import type { components } from "../api/schema";
import type { Board, BoardChallenge, Solve, Team } from "./board";

type LiveMessage = components["schemas"]["LiveMessage"];
type MessageOf<Event extends LiveMessage["event"]> = Extract<LiveMessage, { event: Event }>;

export type SnapshotMessage = MessageOf<"scoreboard">;
export type SolveMessage = MessageOf<"solve">;
export type NoticeMessage = MessageOf<"notice">;
export type StatusMessage = MessageOf<"status">;
/** A notice, as in `GET /notices`. */
export type Notice = components["schemas"]["Notice"];

/** A message from organizers, which has a sequence number but does not change the board. */
export type NewsMessage = NoticeMessage | StatusMessage;
export type AwardMessage = MessageOf<"award">;
type Delta = SolveMessage | MessageOf<"newteam"> | AwardMessage | NewsMessage;
export type BoardMessage = SnapshotMessage | Delta | MessageOf<"changed">;

/** The board, and deltas held back until an earlier one arrives. */
export interface Feed {
  readonly board: Board | null;
  readonly held: readonly Delta[];
}

/** The client's next step: nothing, resume over the socket, or fetch the snapshot. */
export type Ask = "nothing" | "resume" | "fetch";

export const EMPTY_FEED: Feed = { board: null, held: [] };

/** Maximum number of held deltas; beyond that a snapshot is cheaper. */
const HELD_MAX = 1000;

function teamFromRow(row: SnapshotMessage["scoreboard"][number], ids: readonly string[]): Team {
  const [teamName, country, wireSolves, lastSolveTs, award = 0, divisions] = row;
  const solves = new Map<string, Solve>();
  // A thousand teams arrive at once: avoid allocating an entry list for each.
  for (const index in wireSolves) {
    const id = ids[Number(index)];
    const pair = wireSolves[index];
    if (id !== undefined && pair) solves.set(id, { position: pair[0], ts: pair[1] });
  }
  return { teamName, country, solves, lastSolveTs, award, ...(divisions && { divisions }) };
}

/** The board of a snapshot. */
function boardFromSnapshot(message: SnapshotMessage): Board {
  const ids = message.challenges.map((challenge) => challenge.id);
  return {
    seq: message.seq ?? null,
    generation: message.generation ?? null,
    challenges: message.challenges,
    teams: message.scoreboard.map((row) => teamFromRow(row, ids)),
  };
}

function withSolve(board: Board, message: Omit<SolveMessage, "event">): Board {
  const team = board.teams.find((one) => one.teamName === message.teamName);
  const challenge = board.challenges.find((one) => one.id === message.challengeId);
  if (!team || !challenge || team.solves.has(challenge.id)) return board;
  const position = challenge.nsolves + 1;
  const counted: BoardChallenge = {
    ...challenge,
    nsolves: position,
    fbTs: challenge.nsolves === 0 ? message.ts : challenge.fbTs,
  };
  // In a numbered stream only the viewer's own solves during the freeze have no number.
  const isLater = board.seq !== null && message.seq === undefined;
  const solve: Solve = { position, ts: message.ts, ...(isLater && { later: true }) };
  const solved: Team = {
    ...team,
    solves: new Map(team.solves).set(challenge.id, solve),
    lastSolveTs: message.ts,
  };
  return {
    ...board,
    challenges: board.challenges.map((one) => (one === challenge ? counted : one)),
    teams: board.teams.map((one) => (one === team ? solved : one)),
  };
}

function withTeam(board: Board, message: MessageOf<"newteam">): Board {
  if (board.teams.some((team) => team.teamName === message.teamName)) return board;
  const { teamName, country, divisions } = message;
  const own = divisions && { divisions };
  const team: Team = { teamName, country, solves: new Map(), lastSolveTs: 0, award: 0, ...own };
  return { ...board, teams: [...board.teams, team] };
}

/** Replaces an award. As for solves, the viewer's own one during the freeze has no number. */
function withAward(board: Board, { teamName, award, seq }: Omit<AwardMessage, "event">): Board {
  const isLater = board.seq !== null && seq === undefined;
  const teams = board.teams.map((team) => {
    if (team.teamName !== teamName || team.award === award) return team;
    const { laterAward: _, ...kept } = team;
    return { ...kept, award, ...(isLater && { laterAward: true as const }) };
  });
  return { ...board, teams };
}

/** Applies one delta, regardless of its number. A known solve or team changes nothing. */
export function applyDelta(board: Board, message: Delta): Board {
  if (message.event === "solve") return withSolve(board, message);
  if (message.event === "award") return withAward(board, message);
  return message.event === "newteam" ? withTeam(board, message) : board;
}

/** The notices after one was posted, edited or withdrawn, newest first. */
export function withNotice(notices: readonly Notice[], message: NoticeMessage): Notice[] {
  const { event: _event, seq: _seq, ...notice } = message;
  const isKnown = notices.some(({ id }) => id === notice.id);
  if (!isKnown) return [notice, ...notices];
  return notices.map((one) => (one.id === notice.id ? notice : one));
}

/** Applies the held deltas that follow without a gap, and drops those that the board contains. */
function settle(board: Board, held: readonly Delta[]): Feed {
  let settled = board;
  const waiting: Delta[] = [];
  const inOrder = [...held].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
  for (const delta of inOrder) {
    const next = (settled.seq ?? 0) + 1;
    const seq = delta.seq ?? next;
    if (seq < next) continue;
    if (seq === next) settled = { ...applyDelta(settled, delta), seq };
    else waiting.push(delta);
  }
  return { board: settled, held: waiting };
}

function receiveDelta(feed: Feed, board: Board, message: Delta): { feed: Feed; ask: Ask } {
  if (message.seq === undefined || board.seq === null) {
    return { feed: { ...feed, board: applyDelta(board, message) }, ask: "nothing" };
  }
  if (message.seq <= board.seq) return { feed, ask: "nothing" };
  if (message.seq === board.seq + 1) {
    const settled = settle({ ...applyDelta(board, message), seq: message.seq }, feed.held);
    return { feed: settled, ask: "nothing" };
  }
  if (feed.held.length >= HELD_MAX) return { feed: { board, held: [] }, ask: "fetch" };
  const ask = feed.held.length === 0 ? "resume" : "nothing";
  return { feed: { board, held: [...feed.held, message] }, ask };
}

/** Replaces the board with a snapshot, unless the snapshot is older and of the same journal. */
function receiveSnapshot(feed: Feed, message: SnapshotMessage): { feed: Feed; ask: Ask } {
  const fresh = boardFromSnapshot(message);
  const { board } = feed;
  const sameJournal = board?.generation === fresh.generation;
  if (sameJournal && board?.seq != null && fresh.seq !== null && fresh.seq < board.seq) {
    return { feed, ask: "nothing" };
  }
  const held = sameJournal || board === null ? feed.held : [];
  return { feed: settle(fresh, held), ask: "nothing" };
}

/** Applies one message of the channel to the client's state. */
export function receive(feed: Feed, message: BoardMessage): { feed: Feed; ask: Ask } {
  if (message.event === "scoreboard") return receiveSnapshot(feed, message);
  if (message.event === "changed") {
    const known = feed.board?.seq != null && feed.board.seq >= message.seq;
    return { feed, ask: known ? "nothing" : "fetch" };
  }
  if (feed.board === null) return { feed, ask: "nothing" };
  return receiveDelta(feed, feed.board, message);
}
