/** Submitted flags. Those submitted while offline are sent when the connection is back. */
import {
  type Mutation,
  type QueryClient,
  useIsMutating,
  useMutationState,
  useQueryClient,
} from "@tanstack/react-query";

interface Named {
  readonly id: string;
  readonly challengeName: string;
}

const SOLVE = "solve";

/** Mutation key of a challenge's submission. */
export function solveKey({ id, challengeName }: Named) {
  return [SOLVE, id, challengeName] as const;
}

/** True while a submission for the challenge is being sent or is waiting, from any form. */
export function useIsSubmitting(challenge: Named): boolean {
  // Matches without the name, which organizers can change.
  return useIsMutating({ mutationKey: [SOLVE, challenge.id] }) > 0;
}

/** True for a submission that is correct, or that may be. */
function mayBeCorrect({ state: { status, data } }: Mutation): boolean {
  return status === "pending" || (status === "success" && Object(data).correct === true);
}

/** The correct flag that this page submitted for a challenge; null if there is none. */
export function useAcceptedFlag({ id }: Pick<Named, "id">): string | null {
  const flags = useMutationState({
    filters: { mutationKey: [SOLVE, id], status: "success", predicate: mayBeCorrect },
    select: ({ state }) => String(state.variables),
  });
  return flags.at(-1) ?? null;
}

/** True if this page has submitted a flag for the challenge that is correct, or may be. */
export function hasSubmitted(cache: QueryClient, id: string): boolean {
  const filters = { mutationKey: [SOLVE, id], predicate: mayBeCorrect };
  return cache.getMutationCache().findAll(filters).length > 0;
}

/** Discards the waiting and the accepted flags of a team that is no longer logged in. */
export function discardFlags(cache: QueryClient): void {
  const mutations = cache.getMutationCache();
  const isDiscarded = ({ state }: Mutation) => state.isPaused || state.status === "success";
  const discarded = mutations.findAll({ mutationKey: [SOLVE], predicate: isDiscarded });
  for (const mutation of discarded) mutations.remove(mutation);
}

function isPaused({ state }: { state: { isPaused: boolean } }): boolean {
  return state.isPaused;
}

/** Submissions waiting for a connection, oldest first, and a function that discards one. */
export function useWaitingFlags() {
  const mutations = useQueryClient().getMutationCache();
  const waiting = useMutationState({
    filters: { mutationKey: [SOLVE], predicate: isPaused },
    select: ({ mutationId, options }) => ({
      mutationId,
      challengeName: String(options.mutationKey?.[2]),
    }),
  });
  function cancel(mutationId: number): void {
    const mutation = mutations.getAll().find((one) => one.mutationId === mutationId);
    if (mutation?.state.isPaused) mutations.remove(mutation);
  }
  return { waiting, cancel };
}
