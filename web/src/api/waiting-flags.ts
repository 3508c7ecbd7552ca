/** Flags that were submitted without a network: they are sent when the connection is back. */
import {
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

/** The key of a challenge's submission. */
export function solveKey({ id, challengeName }: Named) {
  return [SOLVE, id, challengeName] as const;
}

/** True while a flag of the challenge is sent or waits to be, also for a form that opened later. */
export function useIsSubmitting(challenge: Named): boolean {
  // Without the name, which organizers may change meanwhile.
  return useIsMutating({ mutationKey: [SOLVE, challenge.id] }) > 0;
}

/** Discards all flags that wait: they are of a team that is not logged in any more. */
export function discardWaitingFlags(cache: QueryClient): void {
  const mutations = cache.getMutationCache();
  const waiting = mutations.findAll({ mutationKey: [SOLVE], predicate: isPaused });
  for (const mutation of waiting) mutations.remove(mutation);
}

function isPaused({ state }: { state: { isPaused: boolean } }): boolean {
  return state.isPaused;
}

/** The flags that wait for a network, oldest first, and a function that discards one. */
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
