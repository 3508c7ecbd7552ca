import { useDraft } from "./drafts";
import { useSession } from "./session";

const NOTHING_TYPED = { text: "" };

/** The team's unsent draft for an object, such as a challenge. */
export function useTeamDraft(what: string) {
  const { team } = useSession();
  return useDraft("play", JSON.stringify([team, what]), NOTHING_TYPED);
}
