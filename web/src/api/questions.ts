/** The team's questions: what waits, what is new, and asking one. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { ownRow } from "../domain/challenges";
import { isOpen, OPEN_MAX } from "../domain/news";
import { postQuestion } from "./calls";
import { QUESTIONS_KEY, useLive, useQuestions } from "./queries";
import { useSession, useTeamDraft } from "./session";

/**
 * Follows the team's questions for as long as it is rendered. A solve that came or went is a reason
 * to look: organizers may have counted a flag, and tell its team so.
 */
export function useFollowQuestions(): void {
  const cache = useQueryClient();
  const { team } = useSession();
  const { board } = useLive();
  const { isSuccess } = useQuestions(team !== null);
  const solves = useMemo(() => ownRow(board, team)?.solves.size, [board, team]);
  const [known, setKnown] = useState(solves);
  useEffect(() => {
    if (solves === undefined || solves === known) return;
    setKnown(solves);
    if (known !== undefined && isSuccess) {
      void cache.invalidateQueries({ queryKey: QUESTIONS_KEY });
    }
  }, [cache, isSuccess, solves, known]);
}

/** Asking about a challenge, or with null about something else. What is typed is kept. */
export function useAsking(challengeId: string | null) {
  const cache = useQueryClient();
  const { data: questions = [] } = useQuestions(useSession().team !== null);
  const draft = useTeamDraft(challengeId === null ? "a question" : `question ${challengeId}`);
  const { mutate, isPending, isSuccess, error } = useMutation({
    // Not later, when the connection is back: another team may be logged in then.
    networkMode: "always",
    mutationFn: (text: string) => postQuestion({ text, challengeId }),
    onSuccess: () => {
      draft.discard();
      return cache.invalidateQueries({ queryKey: QUESTIONS_KEY });
    },
  });
  return {
    draft: draft.values.text,
    keep: (text: string) => draft.set("text", text),
    ask: (text: string) => mutate(text),
    isAsking: isPending,
    wasAsked: isSuccess,
    error,
    /** So many wait that the server takes no other. */
    isFull: questions.filter(isOpen).length >= OPEN_MAX,
  };
}
