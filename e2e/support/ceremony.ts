// An ended event with 150 teams whose last solves the freeze hides.

import { expect } from "@playwright/test";
import type { Program, Setup } from "./program.ts";

export const TEAMS = 150;
const CHALLENGES = [
  ["harbour-lights", "Harbour Lights", "Web", 500],
  ["bilge-overflow", "Bilge Overflow", "Pwn", 500],
  ["salted-hash", "Salted Hash", "Crypto", 500],
  ["message-in-a-bottle", "Message in a Bottle", "Forensics", 400],
  ["knots", "Knots", "Reverse", 500],
  ["lighthouse", "Lighthouse", "OSINT", 300],
  ["crow-s-nest", "Crow's Nest", "Web", 450],
  ["ghost-ship", "Ghost Ship", "Misc", 350],
  ["anchor-chain", "Anchor Chain", "Crypto", 500],
  ["dead-water", "Dead Water", "Pwn", 500],
] as const;
const FIRST = [
  "Salty",
  "Null",
  "Rusty",
  "Silent",
  "Brave",
  "Lost",
  "Lucky",
  "Stormy",
  "Old",
  "Deep",
];
const SECOND = [
  ["Sailors", "IT"],
  ["Pointers", "DE"],
  ["Gulls", "FR"],
  ["Anchors", "ES"],
  ["Lanterns", "NL"],
  ["Divers", "GR"],
  ["Pilots", "SE"],
  ["Tides", "PT"],
  ["Oars", "PL"],
  ["Captains", "NO"],
  ["Whales", "JP"],
  ["Reefs", "BR"],
  ["Compasses", "CA"],
  ["Barnacles", "GB"],
  ["Smugglers", "CH"],
] as const;
/** Requests sent at the same time. */
const AT_ONCE = 10;

const yaml = ([id, name, category, value]: (typeof CHALLENGES)[number]) => `name: "${name}"
id: ${id}
category: ${category}
description: Find it.
type: dynamic
value: ${value}
extra:
  initial: ${value}
  minimum: 50
flags:
  - flag{${id}}
`;

export const CEREMONY_EVENT: Setup = {
  when: { start: -3600, freeze: 7200, end: 9000 },
  edit: (text) => text.replace(/^reveal = .*$/m, 'reveal = "manual"'),
  files: Object.fromEntries(
    CHALLENGES.map((one) => [`challenges/${one[0]}/challenge.yml`, yaml(one)]),
  ),
};

/** Number from 0 to 99 that only depends on the arguments. */
function mixed(team: number, challenge: number, salt: number): number {
  let number = Math.imul(team * 31 + challenge * 7 + salt * 101 + 1, 0x9e3779b1);
  number = Math.imul(number ^ (number >>> 15), 0x85ebca6b);
  return ((number ^ (number >>> 13)) >>> 0) % 100;
}

type Solve = readonly [team: string, challenge: string];

async function send(program: Program, tokens: ReadonlyMap<string, string>, solves: Solve[]) {
  for (let at = 0; at < solves.length; at += AT_ONCE) {
    const some = solves.slice(at, at + AT_ONCE);
    const send = ([team, id]: Solve) => program.solve(tokens.get(team) ?? "", id, `flag{${id}}`);
    await Promise.all(some.map(send));
  }
}

/** Imports the teams, and solves before and after the freeze; then the event ends. */
export async function playToTheEnd(program: Program): Promise<void> {
  const names = Array.from({ length: TEAMS }, (_, index) => {
    const second = SECOND[index % SECOND.length] ?? SECOND[0];
    const name = `${FIRST[Math.floor(index / SECOND.length)]} ${second[0]}`;
    return { name, country: second[1] };
  });
  const tokens = await program.importTeams(
    names.map((team, index) => ({
      ...team,
      email: `team${index}@example.org`,
      password: "",
      isStudent: index % 4 === 1,
    })),
  );
  const solves = (salt: number, likely: (index: number) => number) =>
    names.flatMap(({ name }, index) =>
      CHALLENGES.flatMap(([id], at): Solve[] => {
        const isFirst = mixed(index, at, 1) < early(index);
        if (salt === 1) return isFirst ? [[name, id]] : [];
        return !isFirst && mixed(index, at, salt) < likely(index) ? [[name, id]] : [];
      }),
    );
  const early = (index: number) => 34 - (index * 32) / TEAMS;
  await send(program, tokens, solves(1, early));
  await program.reschedule({ freeze: 0 });
  await send(
    program,
    tokens,
    solves(2, (index) => (index % 3 === 0 ? 22 : 5)),
  );
  await program.reschedule({ end: 4 });
  const status = async () => (await (await fetch(`${program.url}/api/ctf`)).json()).status;
  await expect.poll(status).toBe("ended");
}
