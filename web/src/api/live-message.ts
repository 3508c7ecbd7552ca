/** Parses messages of the live channel; unknown events are null and ignored. */
import type { BoardChallenge } from "../domain/board";
import type {
  BoardMessage,
  ChallengeStatus,
  NoticeMessage,
  SnapshotMessage,
  SolveMessage,
  StatusMessage,
  WireRow,
} from "../domain/live";
import type { ChallengeType } from "../domain/points";
import { isRecord, numberOr, textOr, texts } from "./unknown";

/** The server refused a message: shown to the person. */
export interface ErrorMessage {
  event: "error";
  code: string | undefined;
  message: string;
}
/** The organizers answered the team, or wrote to it: its questions have to be fetched. */
export interface AnswerMessage {
  event: "answer";
}
export type LiveMessage = BoardMessage | ErrorMessage | AnswerMessage;

function challengeType(value: unknown): ChallengeType {
  return value === "speedrun" || value === "dynamic" ? value : "static";
}

function parseChallenge(value: unknown): BoardChallenge | null {
  if (!isRecord(value) || typeof value.id !== "string") return null;
  const values = Array.isArray(value.speedrunValues) ? value.speedrunValues : [];
  return {
    id: value.id,
    nsolves: numberOr(value.nsolves, 0),
    fbTs: numberOr(value.fbTs, 0),
    challengeName: textOr(value.challengeName, value.id),
    challengeType: challengeType(value.challengeType),
    maxValue: numberOr(value.maxValue, 0),
    minValue: numberOr(value.minValue, 0),
    speedrunValues: values.filter((one) => typeof one === "number"),
    decay: typeof value.decay === "number" ? value.decay : undefined,
    categories: texts(value.categories),
  };
}

type WireSolves = WireRow[2];

function isWireSolves(value: unknown): value is WireSolves {
  if (!isRecord(value)) return false;
  for (const index in value) {
    const pair = value[index];
    if (!Array.isArray(pair)) return false;
    if (typeof pair[0] !== "number" || typeof pair[1] !== "number") return false;
  }
  return true;
}

/** Valid solves, of which there are thousands, are not copied. */
function parseSolves(value: unknown): WireSolves {
  if (isWireSolves(value)) return value;
  const solves: Record<string, readonly [number, number]> = {};
  if (!isRecord(value)) return solves;
  for (const [index, pair] of Object.entries(value)) {
    if (Array.isArray(pair)) solves[index] = [numberOr(pair[0], 0), numberOr(pair[1], 0)];
  }
  return solves;
}

function isWireRow(value: unknown[]): value is [string, string, WireSolves, number, number?] {
  const [teamName, country, solves, lastSolveTs, award = 0] = value;
  if (typeof teamName !== "string" || typeof country !== "string") return false;
  return typeof lastSolveTs === "number" && typeof award === "number" && isWireSolves(solves);
}

/** As with solves, a valid row is not copied. */
function parseRow(value: unknown): WireRow | null {
  if (!Array.isArray(value) || typeof value[0] !== "string") return null;
  if (isWireRow(value)) return value;
  const [teamName, country, solves, lastSolveTs, award] = value;
  return [
    teamName,
    textOr(country, "UN"),
    parseSolves(solves),
    numberOr(lastSolveTs, 0),
    numberOr(award, 0),
  ];
}

function optional(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function parseSolve(value: Record<string, unknown>): SolveMessage {
  return {
    event: "solve",
    seq: optional(value.seq),
    challengeId: textOr(value.challengeId, ""),
    teamName: textOr(value.teamName, ""),
    ts: numberOr(value.ts, 0),
  };
}

function parseNotice(value: Record<string, unknown>): NoticeMessage | null {
  if (typeof value.id !== "number") return null;
  return {
    event: "notice",
    seq: optional(value.seq),
    id: value.id,
    at: numberOr(value.at, 0),
    title: textOr(value.title, ""),
    html: textOr(value.html, ""),
    challengeId: typeof value.challengeId === "string" ? value.challengeId : null,
    urgent: value.urgent === true,
    correctedAt: typeof value.correctedAt === "number" ? value.correctedAt : null,
    withdrawn: value.withdrawn === true,
    withdrawnAt: typeof value.withdrawnAt === "number" ? value.withdrawnAt : null,
    urgentUntil: typeof value.urgentUntil === "number" ? value.urgentUntil : null,
  };
}

function challengeStatus(value: unknown): ChallengeStatus {
  return value === "looked_at" || value === "broken" || value === "fixed" ? value : "works";
}

function parseStatus(value: Record<string, unknown>): StatusMessage {
  return {
    event: "status",
    seq: optional(value.seq),
    challengeId: textOr(value.challengeId, ""),
    status: challengeStatus(value.status),
    note: textOr(value.note, ""),
  };
}

/** A snapshot, from the channel or from `GET /scoreboard`. */
export function parseSnapshot(value: Record<string, unknown>): SnapshotMessage | null {
  if (!Array.isArray(value.challenges) || !Array.isArray(value.scoreboard)) return null;
  const challenges = value.challenges.map(parseChallenge).filter((one) => one !== null);
  if (challenges.length !== value.challenges.length) return null; // rows name them by index
  return {
    event: "scoreboard",
    seq: optional(value.seq),
    generation: typeof value.generation === "string" ? value.generation : undefined,
    challenges,
    scoreboard: value.scoreboard.map(parseRow).filter((one) => one !== null),
  };
}

function parseKnown(value: Record<string, unknown>): LiveMessage | null {
  const seq = optional(value.seq);
  const teamName = textOr(value.teamName, "");
  switch (value.event) {
    case "scoreboard":
      return parseSnapshot(value);
    case "solve":
      return parseSolve(value);
    case "newteam":
      return { event: "newteam", seq, teamName, country: textOr(value.country, "UN") };
    case "notice":
      return parseNotice(value);
    case "status":
      return parseStatus(value);
    case "answer":
      return { event: "answer" };
    case "changed":
      return { event: "changed", seq: numberOr(value.seq, 0), withinMs: optional(value.withinMs) };
    case "error":
      return {
        event: "error",
        code: typeof value.code === "string" ? value.code : undefined,
        message: textOr(value.message, ""),
      };
    default:
      return null;
  }
}

/** Null for a text that is not JSON, not an object, or has an unknown event. */
export function parseLive(text: unknown): LiveMessage | null {
  if (typeof text !== "string") return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? parseKnown(value) : null;
  } catch {
    return null;
  }
}
