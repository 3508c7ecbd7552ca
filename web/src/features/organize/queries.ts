/** What the organizers' pages show of the server; forgotten when the page is left. */
import { useQuery } from "@tanstack/react-query";
import {
  getMe,
  getOrganizers,
  getSessions,
  ME_KEY,
  ORGANIZERS_KEY,
  SESSIONS_KEY,
} from "../../api/organize";
import { useGate } from "./gate";

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
