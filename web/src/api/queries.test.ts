/** What organizers tell, written into the query cache. */
import type { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import type { NoticeMessage, StatusMessage } from "../domain/live";
import {
  CHALLENGES_KEY,
  CTF_KEY,
  createQueryClient,
  NOTICES_KEY,
  QUESTIONS_KEY,
  refetchTold,
  takeTold,
} from "./queries";

let client: QueryClient;

beforeEach(() => {
  client = createQueryClient();
});

function notice(id: number): NoticeMessage {
  const [title, html, challengeId, urgent] = ["Lunch", "", null, false] as const;
  const state = { correctedAt: null, withdrawn: false, withdrawnAt: null, urgentUntil: null };
  const words = { title, html, challengeId, urgent, ...state };
  return { event: "notice", seq: id, id, at: 1, ...words };
}

function status(challengeId: string, note: string): StatusMessage {
  return { event: "status", seq: 2, challengeId, status: "broken", note };
}

function count(): unknown {
  return client.getQueryData<{ info: { notices: number } }>(CTF_KEY)?.info.notices;
}

test("a notice is added once, and counted", () => {
  client.setQueryData(CTF_KEY, { info: { notices: 1 } });
  takeTold(client, notice(1));
  expect(client.getQueryData(NOTICES_KEY), "the others are not known").toBeUndefined();
  expect(count()).toBe(1);
  client.setQueryData(CTF_KEY, { info: { notices: 0 } });
  for (const id of [1, 2, 2]) takeTold(client, notice(id));
  expect(client.getQueryData(NOTICES_KEY)).toMatchObject([{ id: 2 }, { id: 1 }]);
  expect(count()).toBe(2);
});

test("a status is written on its card; a note that was left out is asked for", () => {
  const cards = [
    { id: "a", requirements: [], locked: false, status: "works", statusNote: "" },
    { id: "b", requirements: ["a"], locked: true, status: "works", statusNote: "" },
    { id: "c", requirements: ["a"], locked: false, status: "works", statusNote: "old" },
  ];
  client.setQueryData(CHALLENGES_KEY, cards);
  const isStale = () => client.getQueryState(CHALLENGES_KEY)?.isInvalidated;
  takeTold(client, status("a", "down"));
  takeTold(client, status("b", "down"));
  takeTold(client, status("none", "down"));
  expect(isStale()).toBe(false);
  expect(client.getQueryData(CHALLENGES_KEY)).toEqual([
    { ...cards[0], status: "broken", statusNote: "down" },
    { ...cards[1], status: "broken" },
    cards[2],
  ]);
  takeTold(client, status("c", ""));
  expect(isStale()).toBe(true);
});

test("after a snapshot the texts of challenges are asked for too: a hint may have come", () => {
  client.setQueryData(CHALLENGES_KEY, []);
  refetchTold(client);
  expect(client.getQueryState(CHALLENGES_KEY)?.isInvalidated).toBe(true);
});

test("a notice may be the answer that a team waits for: who waits for none does not ask", () => {
  const isStale = () => client.getQueryState(QUESTIONS_KEY)?.isInvalidated;
  client.setQueryData(QUESTIONS_KEY, [{ id: 1, state: "answered" }]);
  takeTold(client, notice(1));
  expect(isStale()).toBe(false);
  client.setQueryData(QUESTIONS_KEY, [{ id: 2, state: "open" }]);
  takeTold(client, notice(2));
  expect(isStale()).toBe(true);
});
