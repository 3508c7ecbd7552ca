/** The organizers, for owners: adds them, changes their roles, resets and removes them. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import {
  type InvitationLink,
  ME_KEY,
  ORGANIZERS_KEY,
  type Person,
  postAddOrganizer,
  postRemoveOrganizer,
  postResetOrganizer,
  postRoles,
} from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { ShownOnce } from "./copy-button";
import { DialogButton } from "./dialog-button";
import { useSentence } from "./fault";
import { useGate } from "./gate";
import styles from "./organize.module.css";
import { useMe, useOrganizers } from "./queries";
import { Fault, Read } from "./refused";
import { RightsForm } from "./rights-form";
import { Roles } from "./roles";
import { useTimeText } from "./time-field";
import { MakeToken, Tokens } from "./tokens";

/** The link of a new invitation, shown once. */
function InvitationPanel(props: { name: string; invitation: InvitationLink; onDone: () => void }) {
  const { name, invitation, onDone } = props;
  const { invitation: words } = useOrganizeMessages();
  const timeText = useTimeText();
  return (
    <section aria-label={words.title(name)} className={`${styles.warning} ${styles.stack}`}>
      <h3>{words.title(name)}</h3>
      <p>{words.note(timeText(invitation.expiresAt))}</p>
      <ShownOnce text={invitation.link} label={words.link} copy={words.copy}>
        <button type="button" onClick={onDone}>
          {words.done}
        </button>
      </ShownOnce>
    </section>
  );
}

interface ConfirmProps {
  note: string;
  button: string;
  send: () => Promise<void>;
  onCancel: () => void;
}

function Confirm({ note, button, send, onCancel }: ConfirmProps) {
  const { cancel } = useOrganizeMessages();
  const sentence = useSentence();
  const sending = useMutation({ mutationFn: send });
  return (
    <div className={styles.stack}>
      <p>{note}</p>
      <Fault text={sending.error && sentence(sending.error)} />
      <div className={styles.row}>
        <button type="button" disabled={sending.isPending} onClick={() => sending.mutate()}>
          {button}
        </button>
        <button type="button" onClick={onCancel}>
          {cancel}
        </button>
      </div>
    </div>
  );
}

/** Something is done with an organizer; with a link if there is a new invitation. */
type Done = (name: string, invitation?: InvitationLink) => void;

function PersonRow({ person, onDone }: { person: Person; onDone: Done }) {
  const { organizers: words } = useOrganizeMessages();
  const mayMake = useMe().data?.actions.includes("organizer.token");
  const run = useGate();
  const { name } = person;
  return (
    <li className={`${styles.row} ${styles.spread}`}>
      <div>
        <p>
          <strong>
            <bdi>{name}</bdi>
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
        <DialogButton isNamed text={words.change} title={words.changeOf(name)}>
          {(close) => (
            <div className={styles.stack}>
              <p>{words.changeNote}</p>
              <RightsForm
                organizer={person}
                button={words.save}
                send={async (input) => {
                  await run(() => postRoles(input));
                  close();
                  onDone(name);
                }}
              />
            </div>
          )}
        </DialogButton>
        <DialogButton isNamed text={words.reset} title={words.resetOf(name)}>
          {(close) => (
            <Confirm
              note={words.resetNote}
              button={words.reset}
              send={async () => {
                const invitation = await run(() => postResetOrganizer(name));
                close();
                onDone(name, invitation);
              }}
              onCancel={close}
            />
          )}
        </DialogButton>
        <DialogButton isNamed text={words.remove} title={words.removeOf(name)}>
          {(close) => (
            <Confirm
              note={words.removeNote}
              button={words.remove}
              send={async () => {
                await run(() => postRemoveOrganizer(name));
                close();
                onDone(name);
              }}
              onCancel={close}
            />
          )}
        </DialogButton>
        {mayMake && person.isEnrolled && <MakeToken name={name} />}
      </div>
    </li>
  );
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
  const [invited, setInvited] = useState<{ name: string; invitation: InvitationLink } | null>(null);
  const mayMake = useMe().data?.actions.includes("organizer.token");
  const { title, goBack } = useReturn();
  const run = useGate();
  const finish: Done = (name, invitation) => {
    if (invitation) setInvited({ name, invitation });
    else goBack();
    void cache.invalidateQueries({ queryKey: ORGANIZERS_KEY });
    // The roles may be the owner's own.
    void cache.invalidateQueries({ queryKey: ME_KEY });
  };
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
        <DialogButton text={words.add} title={words.add}>
          {(close) => (
            <RightsForm
              organizer={null}
              button={words.addButton}
              send={async (input) => {
                const invitation = await run(() => postAddOrganizer(input));
                close();
                finish(input.name, invitation);
              }}
            />
          )}
        </DialogButton>
      </div>
      {invited && <InvitationPanel key={invited.invitation.link} {...invited} onDone={leave} />}
      <Read of={useOrganizers()} label={words.loading}>
        {(people) => (
          <ul className={styles.list}>
            {people.map((person) => (
              <PersonRow key={person.name} person={person} onDone={finish} />
            ))}
          </ul>
        )}
      </Read>
      {mayMake && <Tokens />}
    </section>
  );
}
