/** The organizers, for owners: adds them, changes their roles, resets and removes them. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import {
  codeOf,
  type InvitationLink,
  ME_KEY,
  ORGANIZERS_KEY,
  type Person,
} from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Loading } from "../../ui/loading/loading";
import { InvitationPanel } from "./invitation";
import styles from "./organize.module.css";
import { type Asked, OrganizerDialog } from "./organizer-dialog";
import { useMe, useOrganizers } from "./queries";
import { Failed } from "./refused";
import { Roles } from "./roles";
import { MakeToken, Tokens } from "./tokens";

function PersonRow({ person, onAsk }: { person: Person; onAsk: (asked: Asked) => void }) {
  const { organizers: words } = useOrganizeMessages();
  const mayMake = useMe().data?.actions.includes("organizer.token");
  const buttons = [
    { kind: "roles", text: words.change, label: words.changeOf(person.name) },
    { kind: "reset", text: words.reset, label: words.resetOf(person.name) },
    { kind: "remove", text: words.remove, label: words.removeOf(person.name) },
  ] as const;
  return (
    <li className={`${styles.row} ${styles.spread}`}>
      <div>
        <p>
          <strong>
            <bdi>{person.name}</bdi>
          </strong>
        </p>
        <p className={styles.muted}>
          <Roles roles={person.roles} /> · {person.isEnrolled ? words.enrolled : words.invited}
          {person.challenges.length > 0 && (
            <>
              <br />
              {words.challenges(person.challenges.join(", "))}
            </>
          )}
        </p>
      </div>
      <div className={styles.row}>
        {buttons.map(({ kind, text, label }) => (
          <button
            key={kind}
            type="button"
            aria-label={label}
            onClick={() => onAsk({ kind, person })}
          >
            {text}
          </button>
        ))}
        {mayMake && person.isEnrolled && <MakeToken name={person.name} />}
      </div>
    </li>
  );
}

function List({ onAsk }: { onAsk: (asked: Asked) => void }) {
  const { organizers: words } = useOrganizeMessages();
  const { data, error, refetch } = useOrganizers();
  if (data) {
    return (
      <ul className={styles.list}>
        {data.map((person) => (
          <PersonRow key={person.name} person={person} onAsk={onAsk} />
        ))}
      </ul>
    );
  }
  if (!error || codeOf(error) === "login_needed") return <Loading label={words.loading} />;
  return <Failed error={error} onRetry={() => void refetch()} />;
}

/** A heading that gets the focus after a dialog or a panel whose button disappears. */
function useReturn() {
  const title = useRef<HTMLHeadingElement>(null);
  const [returns, setReturns] = useState(0);
  // After the dialog has returned the focus to its button.
  useEffect(() => {
    if (returns > 0) title.current?.focus();
  }, [returns]);
  return { title, goBack: () => setReturns(returns + 1) };
}

export function Organizers() {
  const { organizers: words } = useOrganizeMessages();
  const cache = useQueryClient();
  const [asked, ask] = useState<Asked | null>(null);
  const [invited, setInvited] = useState<{ name: string; invitation: InvitationLink } | null>(null);
  const mayMake = useMe().data?.actions.includes("organizer.token");
  const { title, goBack } = useReturn();
  function finish(name: string, invitation: InvitationLink | null) {
    ask(null);
    if (invitation) setInvited({ name, invitation });
    else goBack();
    void cache.invalidateQueries({ queryKey: ORGANIZERS_KEY });
    // The roles may be the owner's own.
    void cache.invalidateQueries({ queryKey: ME_KEY });
  }
  function leave() {
    setInvited(null);
    goBack();
  }
  return (
    <section className={`${styles.card} ${styles.stack}`}>
      <div className={`${styles.row} ${styles.spread}`}>
        <h2 ref={title} tabIndex={-1}>
          {words.title}
        </h2>
        <button type="button" onClick={() => ask({ kind: "add" })}>
          {words.add}
        </button>
      </div>
      {invited && <InvitationPanel key={invited.invitation.link} {...invited} onDone={leave} />}
      <List onAsk={ask} />
      {mayMake && <Tokens />}
      {asked && <OrganizerDialog asked={asked} onClose={() => ask(null)} onDone={finish} />}
    </section>
  );
}
