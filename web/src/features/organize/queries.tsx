/** Server data that is dropped from the cache when its page closes. */
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import {
  getMe,
  getOrganizers,
  getSessions,
  ME_KEY,
  type Me,
  ORGANIZERS_KEY,
  SESSIONS_KEY,
} from "../../api/organize";
import { useGate } from "./second-factor-gate";

/** Loads the logged-in organizer. */
export function useMeQuery(): UseQueryResult<Me> {
  const run = useGate();
  return useQuery({ queryKey: ME_KEY, queryFn: () => run(getMe), gcTime: 0 });
}

const MeContext = createContext<Me | null>(null);

/** Provides the logged-in organizer, so that a page's dozens of readers share one query. */
export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** The logged-in organizer; needs a `MeProvider`. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("useMe needs a MeProvider");
  return me;
}

export function useSessions() {
  const run = useGate();
  return useQuery({ queryKey: SESSIONS_KEY, queryFn: () => run(getSessions), gcTime: 0 });
}

export function useOrganizers() {
  const run = useGate();
  return useQuery({ queryKey: ORGANIZERS_KEY, queryFn: () => run(getOrganizers), gcTime: 0 });
}
