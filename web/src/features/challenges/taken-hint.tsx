/**
 * A hint that a team takes, for points or after other hints. Opening it shows the cost and the
 * resulting rank; the button takes it. Loaded separately.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Challenge, postHint } from "../../api/calls";
import { failureOf } from "../../api/client";
import { CHALLENGES_KEY } from "../../api/queries";
import { useLiveRefresh, useSession } from "../../api/session";
import { type Board, rankTeams } from "../../domain/board";
import { type Derived, hasLaterSolve } from "../../domain/challenges";
import { useMessages } from "../../messages/language";
import { Html } from "../../ui/html/html";
import styles from "./card-news.module.css";
import { NO_ATTEMPTS } from "./limits";
import task from "./task.module.css";

type Hint = Challenge["hints"][number];

/** The team's rank and points with a lower award; null if the team has no row. */
function useStandingAfter(board: Board | null, cost: number): string | null {
  const { hints: words } = useMessages();
  const { team: name } = useSession();
  const ranked = useMemo(() => {
    if (!board) return [];
    const pays = (team: Board["teams"][number]) =>
      team.teamName === name ? { ...team, award: team.award - cost } : team;
    return rankTeams({ ...board, teams: board.teams.map(pays) });
  }, [board, name, cost]);
  const own = ranked.find(({ team }) => team.teamName === name);
  if (!own) return null;
  if (hasLaterSolve(own.team)) return words.pointsAfter(own.points);
  return words.rankAfter(own.rank, ranked.length, own.points);
}

/** Titles of the required hints that the team has not taken; free ones need not be taken. */
function useMissing(hint: Hint, hints: readonly Hint[]): string {
  const { hints: words } = useMessages();
  const missing = hints.flatMap((other, at) => {
    const isMissing = hint.requirements.includes(other.id) && !other.taken && other.html === null;
    return isMissing ? [words.title(at + 1)] : [];
  });
  return missing.join(", ");
}

interface TakenHintProps {
  hint: Hint;
  title: string;
  challenge: Pick<Derived<Challenge>, "id" | "hints" | "attemptsLeft" | "solved">;
  board: Board | null;
}

/** The rank after taking the hint, and the button. */
function Offer({ hint, challenge, board }: Omit<TakenHintProps, "title">) {
  const { hints: words, translate } = useMessages();
  const cache = useQueryClient();
  const refreshBoard = useLiveRefresh();
  const after = useStandingAfter(board, hint.cost);
  const missing = useMissing(hint, challenge.hints);
  const { id: challengeId } = challenge;
  const take = useMutation({
    mutationFn: () => postHint({ challengeId, hintId: hint.id, cost: hint.cost }),
    onSuccess: refreshBoard,
    // Also after a refusal: the cost or the requirements may have changed.
    onSettled: () => cache.invalidateQueries({ queryKey: CHALLENGES_KEY }),
  });
  if (take.data) return <Html html={take.data.html} className={styles.text} />;
  const isOut = challenge.attemptsLeft === 0 && !challenge.solved;
  const obstacle = isOut ? translate(NO_ATTEMPTS) : missing && words.first(missing);
  if (obstacle) {
    return (
      <div className={styles.offer}>
        <p>{obstacle}</p>
      </div>
    );
  }
  return (
    <div className={styles.offer}>
      {hint.cost > 0 && after !== null && <p>{after}</p>}
      <button type="button" disabled={take.isPending} onClick={() => take.mutate()}>
        {words.take}
      </button>
      <p role="status">{take.error && translate(failureOf(take.error))}</p>
    </div>
  );
}

export default function TakenHint({ hint, title, challenge, board }: TakenHintProps) {
  const { challenges, hints: words } = useMessages();
  const { html = null, cost, taken } = hint;
  const price = cost > 0 ? ` · ${challenges.points(cost)}` : "";
  return (
    <details className={task.unfolds}>
      <summary>
        {title}
        {price}
        {taken && ` · ${words.taken}`}
      </summary>
      {html === null ? (
        <Offer {...{ hint, challenge, board }} />
      ) : (
        <Html html={html} className={styles.text} />
      )}
    </details>
  );
}
