/** Organizer messages in the query cache, and the queries of a team without a token. */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { NoticeMessage, StatusMessage } from "../domain/live";
import {
  applyNews,
  CHALLENGES_KEY,
  CTF_KEY,
  createQueryClient,
  NOTICES_KEY,
  QUESTIONS_KEY,
  refetchNews,
  useAccount,
  useChallenges,
  useQuestions,
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
  applyNews(client, notice(1));
  expect(client.getQueryData(NOTICES_KEY), "the others are not known").toBeUndefined();
  expect(count()).toBe(1);
  client.setQueryData(CTF_KEY, { info: { notices: 0 } });
  for (const id of [1, 2, 2]) applyNews(client, notice(id));
  expect(client.getQueryData(NOTICES_KEY)).toMatchObject([{ id: 2 }, { id: 1 }]);
  expect(count()).toBe(2);
});

test("a status is written to its card; a missing note is fetched", () => {
  const cards = [
    { id: "a", requirements: [], locked: false, status: "works", statusNote: "" },
    { id: "b", requirements: ["a"], locked: true, status: "works", statusNote: "" },
    { id: "c", requirements: ["a"], locked: false, status: "works", statusNote: "old" },
  ];
  client.setQueryData(CHALLENGES_KEY, cards);
  const isStale = () => client.getQueryState(CHALLENGES_KEY)?.isInvalidated;
  applyNews(client, status("a", "down"));
  applyNews(client, status("b", "down"));
  applyNews(client, status("none", "down"));
  expect(isStale()).toBe(false);
  expect(client.getQueryData(CHALLENGES_KEY)).toEqual([
    { ...cards[0], status: "broken", statusNote: "down" },
    { ...cards[1], status: "broken" },
    cards[2],
  ]);
  applyNews(client, status("c", ""));
  expect(isStale()).toBe(true);
});

test("after a snapshot challenges are refetched too, for new hints", () => {
  client.setQueryData(CHALLENGES_KEY, []);
  refetchNews(client);
  expect(client.getQueryState(CHALLENGES_KEY)?.isInvalidated).toBe(true);
});

test("a notice refetches the questions only if one is open", () => {
  const isStale = () => client.getQueryState(QUESTIONS_KEY)?.isInvalidated;
  client.setQueryData(QUESTIONS_KEY, [{ id: 1, state: "answered" }]);
  applyNews(client, notice(1));
  expect(isStale()).toBe(false);
  client.setQueryData(QUESTIONS_KEY, [{ id: 2, state: "open" }]);
  applyNews(client, notice(2));
  expect(isStale()).toBe(true);
});

test("nothing of the team is requested without a token", async () => {
  const sent = vi.fn(() => Promise.resolve(new Response("{}")));
  vi.stubGlobal("fetch", sent);
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client }, children);
  // Each is enabled, as in a component that was rendered before the logout.
  const queries = () => [useChallenges(true), useQuestions(true), useAccount(true)];
  const { result } = renderHook(queries, { wrapper });
  await waitFor(() => expect(result.current.map(({ isError }) => isError)).not.toContain(false));
  expect(sent).not.toHaveBeenCalled();
});
