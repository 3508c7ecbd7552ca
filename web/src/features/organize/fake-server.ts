/** Server responses for one owner, shared by the tests of the organizer pages. */
import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, vi } from "vitest";
import { callsTo, PATIENT, type Reply, server } from "../../fake-server";
import { DOORS, FRAMED, framedAt } from "./pages";

// Preload: unbundled, the pages are hundreds of modules.
const PAGES = [...DOORS.values(), ...FRAMED.values(), framedAt("/organize/challenges/new")?.Page];
await Promise.all(PAGES.map((page) => page?.preload()));

export const ME = {
  name: "Ada",
  roles: ["owner"],
  challenges: [],
  actions: ["organizer.list", "organizer.add", "comet.launch"],
  codesLeft: 10,
  factorUntil: null,
};

export const THIS_SESSION = {
  id: "s1",
  kind: "session",
  createdAt: Date.UTC(2026, 10, 22, 10),
  expiresAt: Date.UTC(2026, 10, 22, 22),
  isCurrent: true,
  isProven: true,
};
export const TOKEN_OF_SCRIPT = { ...THIS_SESSION, id: "t1", kind: "token", isCurrent: false };

export const CODES = Array.from({ length: 10 }, (_, at) => `abcd-efgh-ijkl-mn${at}p`);
export const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
export const URI = `otpauth://totp/Harbour%20CTF:Ada?secret=${SECRET}&issuer=Harbour%20CTF`;
export const LINK = {
  link: "https://ctf.example/organize/invite#new",
  expiresAt: 1_800_000_000_000,
};

export const factorNeeded: Reply = [403, { code: "factor_needed", message: "Give the code." }];
export const codeWrong: Reply = [422, { code: "code_wrong", message: "This code is wrong." }];
export const loginNeeded: Reply = [401, { code: "login_needed", message: "Log in first." }];

/** Returns `first` for the first request, then `next`. */
export function onceThen(first: Reply, next: Reply): () => Reply {
  let isFirst = true;
  return () => {
    const reply = isFirst ? first : next;
    isFirst = false;
    return reply;
  };
}

/** Each path requires two-factor authentication until a code is accepted. */
export function needsFactor(replies: Record<string, Reply>): void {
  let isProven = false;
  for (const [path, reply] of Object.entries(replies)) {
    server.replies[path] = () => (isProven ? reply : factorNeeded);
  }
  server.replies["/organize/factor"] = () => {
    isProven = true;
    return [200, { codesLeft: 9 }];
  };
}

beforeEach(() => {
  vi.stubGlobal("isSecureContext", true);
  server.replies["/organize/me"] = [200, ME];
  server.replies["/organize/sessions"] = [200, { sessions: [THIS_SESSION, TOKEN_OF_SCRIPT] }];
  server.replies["/organize/organizers"] = [200, { organizers: [] }];
});

/** Permissions of an owner, as far as the pages check them. */
export const OWNERS_ACTIONS = [
  ...["event.overview", "team.list", "challenge.list", "flag.list", "action.list", "question.list"],
  ...["notice.list", "list.export", "flag.try", "team.ban", "team.unban", "team.hide", "team.show"],
  ...["team.rename", "team.resend", "team.award", "challenge.release", "challenge.hide"],
  ...["challenge.status", "solve.withdraw", "event.reveal", "event.times", "event.pause"],
  ...["notice.post", "question.answer", "question.close", "evidence.list", "evidence.state"],
  ...["challenge.create", "challenge.edit", "challenge.read", "file.upload"],
];

export const OVERVIEW = {
  name: "Harbour CTF",
  status: "frozen",
  now: Date.now(),
  start: Date.now() - 3_600_000,
  freeze: Date.now() - 60_000,
  end: Date.now() + 3_600_000,
  isPaused: false,
  isFrozen: true,
  isRevealed: false,
  teams: { playing: 3 },
  challenges: { shown: 2 },
  solves: 5,
  openQuestions: 2,
  health: null,
  warnings: [],
};

const place = (rank: number, points: number) => ({ rank, points, award: 0, solves: 1 });

/** An active team, ranked first in the unfrozen view and second in the public view. */
export const OTTERS = {
  teamName: "Otters",
  country: "IT",
  number: 1,
  standing: "plays",
  email: "otters@example.org",
  mail: { state: "refused", queuedAt: 1, tries: 3, serverSaid: "550 <b>no</b>" },
  truth: place(1, 200),
  public: place(2, 100),
};

export const STORY = [
  {
    at: Date.now(),
    kind: "action",
    text: 'Ada hid "Otters".',
    action: { id: 1, reason: "a test" },
  },
  { at: Date.now() - 1, kind: "wrong", challengeId: "web", near: "decoy", times: 2 },
  { at: Date.now() - 2, kind: "login", network: "192.0.2.7", times: 3, lastAt: Date.now() },
];

export const PAIR = {
  ...{ teamName: "Otters", otherName: "<b>Hostile</b>", state: "new", lastAt: Date.now() },
  facts: [
    {
      ...{ kind: "team_flag", by: "Otters", at: Date.now(), times: 1, teams: 2 },
      challenges: [{ challengeId: "web", at: Date.now() }],
      explanation: { code: "passed_on", text: "Somebody else may have passed the flag on." },
    },
  ],
};

export const WEB = {
  id: "web",
  challengeName: "Crumbs",
  categories: ["web"],
  state: "hidden",
  status: "works",
  statusNote: "",
  value: 100,
  solves: 0,
  tries: 4,
  triedBy: 2,
  wrongLastHour: 4,
  stuck: 2,
  problems: [{ line: 3, severity: "error", message: "No flag." }],
};

export const BANNED = {
  id: 7,
  at: Date.now(),
  actor: "Ada",
  action: "team.ban",
  arguments: { team: "Otters" },
  reason: "shared flags",
  sentence: 'Ada banned "Otters".',
  undoable: true,
};

const first = { rank: 1, points: 100 };
/** Otters leave the top, and the next team moves up one rank. */
const MOVES = [
  { teamName: "Otters", from: first, to: null },
  { teamName: "<b>Hostile</b>", from: { rank: 2, points: 100 }, to: first },
];

/** Response to an action or its preview. */
export function acted(more = {}): Reply {
  return [
    200,
    {
      id: 7,
      action: "team.ban",
      sentence: 'Ada banned "Otters".',
      undo: { possible: true },
      effect: { truth: MOVES, public: [], firstBloods: [] },
      head: 3,
      ...more,
    },
  ];
}

/** True if the latest call to `/organize/actions` reads the list. */
export function isListOfActions(): boolean {
  return callsTo("/organize/actions").at(-1)?.body === null;
}

/** Server responses for an organizer with these permissions and roles. */
export function signedIn(actions: readonly string[] = OWNERS_ACTIONS, roles = ["owner"]): void {
  Object.assign(server.replies, {
    "/organize/me": [200, { ...ME, roles, actions }],
    "/organize/overview": [200, OVERVIEW],
    "/organize/teams": [200, { teams: [OTTERS], total: 1, next: null }],
    "/organize/teams/Otters": [200, { team: OTTERS, story: STORY, next: null }],
    "/organize/evidence": [200, { at: 1, pairs: [PAIR], more: 0 }],
    "/organize/challenges": [200, { challenges: [WEB, { ...WEB, id: "b", challengeName: "B" }] }],
    "/organize/flags": [200, { flags: [], next: null }],
    "/organize/actions": () => (isListOfActions() ? [200, { actions: [BANNED] }] : acted()),
    "/organize/questions": [200, { questions: [] }],
    "/organize/notices": [200, { notices: [] }],
    "/organize/answers": [200, { answers: [] }],
  });
}

/** Chooses an action in the menu of the open panel of an object. */
export async function chooseAction(user: UserEvent, object: string, name: RegExp) {
  const menu = { name: `More actions for ${object}` };
  await user.click(await screen.findByRole("button", menu, PATIENT));
  await user.click(await screen.findByRole("menuitem", { name }, PATIENT));
}
