/** The team's questions: open ones, new answers, and asking. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { ownRow } from "../domain/challenges";
import { isOpen, OPEN_MAX } from "../domain/news";
import { postQuestion } from "./calls";
import { QUESTIONS_KEY, useLive, useQuestions } from "./queries";
import { useSession, useTeamDraft } from "./session";

/**
 * Keeps the team's questions current while mounted. A new or withdrawn solve triggers a refetch,
 * because crediting a solve can send the team a message.
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

/** Form state of a question, about a challenge or, with null, anything else. Keeps a draft. */
export function useAsking(challengeId: string | null) {
  const cache = useQueryClient();
  const { data: questions = [] } = useQuestions(useSession().team !== null);
  const draft = useTeamDraft(challengeId === null ? "a question" : `question ${challengeId}`);
  const { mutate, isPending, isSuccess, error } = useMutation({
    // A paused request must not resume after a reconnect, because another team may have logged in.
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
    /** True if the team has the maximum number of open questions. */
    isFull: questions.filter(isOpen).length >= OPEN_MAX,
  };
}
