/** The organizer's own sessions and API tokens, each with a button to revoke it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import {
  codeOf,
  postEndSession,
  postSignOut,
  SESSIONS_KEY,
  type Session,
} from "../../api/organize";
import { useOrganizeMessages, wordFor } from "../../messages/organize/words";
import { go } from "../../navigate";
import { useShowError } from "./fault";
import styles from "./organize.module.css";
import { useMe } from "./queries";
import { SIGN_IN, useGate } from "./second-factor-gate";
import { EndRow, MakeToken } from "./tokens";

/** Revokes a session, including the cookie of the current one. Ended sessions are not an error. */
function useEnd({ id, isCurrent }: Session, onEnded: () => void) {
  const run = useGate();
  const cache = useQueryClient();
  const showError = useShowError();
  function refresh() {
    onEnded();
    void cache.invalidateQueries({ queryKey: SESSIONS_KEY });
  }
  return useMutation({
    mutationFn: () => run(() => (isCurrent ? postSignOut() : postEndSession(id))),
    onSuccess: () => (isCurrent ? go(SIGN_IN) : refresh()),
    onError: (error) => (codeOf(error) === "not_found" ? refresh() : showError(error)),
  });
}

function SessionRow({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const { sessions: words } = useOrganizeMessages();
  const end = useEnd(session, onEnded);
  const kind = wordFor(words.kinds, session.kind);
  return (
    <EndRow of={session} labelOf={(created) => words.endOf(kind, created)} end={end}>
      {kind}
      {session.isCurrent && <strong> ({words.isCurrent})</strong>}
      {!session.isProven && ` (${words.isUnproven})`}
    </EndRow>
  );
}

export function Sessions({ sessions }: { sessions: readonly Session[] }) {
  const { sessions: words } = useOrganizeMessages();
  const mayMake = useMe().actions.includes("account.token");
  const title = useRef<HTMLHeadingElement>(null);
  // The focused button disappears.
  const onEnded = () => title.current?.focus();
  return (
    <section className={`${styles.card} ${styles.stack}`}>
      <div className={`${styles.row} ${styles.spread}`}>
        <h2 ref={title} tabIndex={-1}>
          {words.title}
        </h2>
        {mayMake && <MakeToken name={null} />}
      </div>
      <ul className={styles.list}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnded={onEnded} />
        ))}
      </ul>
    </section>
  );
}
