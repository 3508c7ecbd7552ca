import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { discardFlags, hasSubmitted, solveKey } from "./waiting-flags";

const CHALLENGE = { id: "tide", challengeName: "Rising tide" };

/** A page that submitted a flag for the challenge. */
async function submitted(correct: boolean): Promise<QueryClient> {
  const cache = new QueryClient();
  const mutations = cache.getMutationCache();
  const mutationFn = () => Promise.resolve({ correct });
  await mutations.build(cache, { mutationKey: solveKey(CHALLENGE), mutationFn }).execute(undefined);
  return cache;
}

test("only a correct flag of the challenge counts as submitted", async () => {
  expect(hasSubmitted(await submitted(true), "tide")).toBe(true);
  expect(hasSubmitted(await submitted(true), "welcome")).toBe(false);
  expect(hasSubmitted(await submitted(false), "tide")).toBe(false);
});

test("the next team on this page does not find the flags of the team before", async () => {
  const cache = await submitted(true);
  discardFlags(cache);
  expect(hasSubmitted(cache, "tide")).toBe(false);
});
