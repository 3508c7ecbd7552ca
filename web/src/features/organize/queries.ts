/** Server data that is dropped from the cache when its page closes. */
import { useQuery } from "@tanstack/react-query";
import {
  getMe,
  getOrganizers,
  getSessions,
  ME_KEY,
  ORGANIZERS_KEY,
  SESSIONS_KEY,
} from "../../api/organize";
import { useGate } from "./second-factor-gate";

export function useMe() {
  const run = useGate();
  return useQuery({ queryKey: ME_KEY, queryFn: () => run(getMe), gcTime: 0 });
}

export function useSessions() {
  const run = useGate();
  return useQuery({ queryKey: SESSIONS_KEY, queryFn: () => run(getSessions), gcTime: 0 });
}

export function useOrganizers() {
  const run = useGate();
  return useQuery({ queryKey: ORGANIZERS_KEY, queryFn: () => run(getOrganizers), gcTime: 0 });
}
