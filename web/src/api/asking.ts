import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isOpen, OPEN_MAX } from "../domain/news";
import { postQuestion } from "./calls";
import { QUESTIONS_KEY, useQuestions } from "./queries";
import { useSession } from "./session";
import { useTeamDraft } from "./team-draft";

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
