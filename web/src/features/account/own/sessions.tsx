/** The team's active sessions, each with a button that ends it. */
import { useRef } from "react";
import { type Account, postEndOwnSession } from "../../../api/calls";
import { useMessages } from "../../../messages/language";
import { useHours } from "../../../ui/times/times";
import { Card } from "./card";
import styles from "./own.module.css";
import { useSaving } from "./saving";

type Session = Account["sessions"][number];

function SessionRow({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const { own: words } = useMessages();
  const time = useHours();
  const { mutate, isPending } = useSaving(postEndOwnSession);
  const { id, browser, network, begunAt, seenAt, isCurrent } = session;
  const name = browser ?? words.unknownBrowser;
  return (
    <li className={styles.session}>
      <div>
        <p>
          <bdi>{name}</bdi> {isCurrent && <strong>({words.thisSession})</strong>}
        </p>
        <p className="quiet">
          {words.begun(time(begunAt))}, {words.seen(time(seenAt))}
          {network && (
            <>
              , <bdi>{network}</bdi>
            </>
          )}
        </p>
      </div>
      {!isCurrent && (
        <button
          type="button"
          aria-label={words.endOf(name, time(begunAt))}
          disabled={isPending}
          onClick={() => mutate(id, { onSuccess: onEnded })}
        >
          {words.end}
        </button>
      )}
    </li>
  );
}

export function Sessions({ sessions }: { sessions: readonly Session[] }) {
  const { own: words } = useMessages();
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <Card title={words.sessions} heading={title} folds>
      <ul className={styles.rows}>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            // The button that had the focus is removed.
            onEnded={() => title.current?.focus()}
          />
        ))}
      </ul>
    </Card>
  );
}
