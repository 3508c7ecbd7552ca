/** Organizer management for owners: add, change roles, reset and remove. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
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
import { Dialog } from "../../ui/dialog/dialog";
import { ShownOnce } from "./copy-button";
import { DialogButton } from "./dialog-button";
import { useSentence } from "./fault";
import { DialogFoot } from "./forms/dialog-parts";
import { useAllChallenges, useMay } from "./frame/queries";
import { RowMenu } from "./frame/row-menu";
import { Status } from "./frame/status";
import { type Column, Table } from "./frame/table";
import styles from "./organize.module.css";
import people from "./organizers.module.css";
import { useOrganizers } from "./queries";
import { Fault, QueryContent } from "./query-content";
import { RightsForm } from "./rights-form";
import { Roles } from "./roles";
import { useGate } from "./second-factor-gate";
import { useTimeText } from "./time-field";
import { NewToken, Tokens } from "./tokens";

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
      <DialogFoot>
        <div className={styles.row}>
          <button
            type="button"
            className="button-primary"
            disabled={sending.isPending}
            onClick={() => sending.mutate()}
          >
            {button}
          </button>
          <button type="button" onClick={onCancel}>
            {cancel}
          </button>
        </div>
      </DialogFoot>
    </div>
  );
}

/** Called after a change to an organizer, with the link if there is a new invitation. */
type Done = (name: string, invitation?: InvitationLink) => void;

type Change = "roles" | "reset" | "remove" | "token";

interface ChangeProps {
  person: Person;
  onDone: Done;
  onClose: () => void;
}

/** Dialog of one change to an organizer. */
function ChangeDialog({ change, person, onDone, onClose }: ChangeProps & { change: Change }) {
  const { organizers: words, console: texts } = useOrganizeMessages();
  const run = useGate();
  const { name } = person;
  const after = (invitation?: InvitationLink) => {
    onClose();
    onDone(name, invitation);
  };
  const changes: Readonly<Record<Change, readonly [string, ReactNode]>> = {
    roles: [
      words.changeOf(name),
      <div key="roles" className={styles.stack}>
        <p>{words.changeNote}</p>
        <RightsForm
          organizer={person}
          button={words.save}
          send={async (input) => {
            await run(() => postRoles(input));
            after();
          }}
        />
      </div>,
    ],
    reset: [
      words.resetOf(name),
      <Confirm
        key="reset"
        note={words.resetNote}
        button={words.reset}
        send={async () => after(await run(() => postResetOrganizer(name)))}
        onCancel={onClose}
      />,
    ],
    remove: [
      words.removeOf(name),
      <Confirm
        key="remove"
        note={words.removeNote}
        button={words.remove}
        send={async () => {
          await run(() => postRemoveOrganizer(name));
          after();
        }}
        onCancel={onClose}
      />,
    ],
    token: [texts.tokens.makeOf(name), <NewToken key="token" name={name} onClose={onClose} />],
  };
  const [title, content] = changes[change];
  return (
    <Dialog title={title} onClose={onClose}>
      {content}
    </Dialog>
  );
}

function PersonMenu({ person, onDone }: { person: Person; onDone: Done }) {
  const { organizers: words, console: texts, manage } = useOrganizeMessages();
  const may = useMay();
  const [change, setChange] = useState<Change | null>(null);
  const { name, isEnrolled } = person;
  const token = { text: texts.tokens.button, onPress: () => setChange("token") };
  return (
    <>
      <RowMenu
        label={manage.people.actionsOf(name)}
        items={[
          { text: words.change, onPress: () => setChange("roles") },
          ...(may("organizer.token") && isEnrolled ? [token] : []),
          { text: words.reset, isDanger: true, onPress: () => setChange("reset") },
          { text: words.remove, isDanger: true, onPress: () => setChange("remove") },
        ]}
      />
      {change && <ChangeDialog {...{ change, person, onDone }} onClose={() => setChange(null)} />}
    </>
  );
}

/** Names of challenges by ID; removed challenges keep their ID. */
function useNames(): (ids: readonly string[]) => string {
  const challenges = useAllChallenges().data ?? [];
  const nameOf = (id: string) => challenges.find((one) => one.id === id)?.challengeName ?? id;
  return (ids) => ids.map(nameOf).join(", ");
}

function useColumns(onDone: Done): readonly Column<Person>[] {
  const { organizers: words, manage } = useOrganizeMessages();
  const { people: texts } = manage;
  const timeText = useTimeText();
  const namesOf = useNames();
  return [
    { word: texts.name, isName: true, cell: ({ name }) => <bdi>{name}</bdi> },
    {
      word: texts.roles,
      cell: ({ roles, challenges }) => (
        <>
          <Roles roles={roles} />
          {challenges.length > 0 && (
            <span className="org-note"> {words.challenges(namesOf(challenges))}</span>
          )}
        </>
      ),
    },
    {
      word: texts.factor,
      cell: ({ isEnrolled }) => (
        <Status mark={isEnrolled ? "good" : "wait"}>
          {isEnrolled ? texts.factorOn : texts.pending}
        </Status>
      ),
    },
    {
      word: texts.login,
      className: "org-wide",
      cell: ({ loggedInAt, isEnrolled }) => {
        if (typeof loggedInAt === "number") return timeText(loggedInAt);
        return isEnrolled && <span className="org-note">{texts.noLogin}</span>;
      },
    },
    { word: texts.sessions, className: "org-number org-wide", cell: ({ sessions }) => sessions },
    { word: texts.tokens, className: "org-number org-wide", cell: ({ tokens }) => tokens },
    {
      className: "org-row-actions",
      cell: (person) => <PersonMenu person={person} onDone={onDone} />,
    },
  ];
}

/** Ref of a heading that takes the focus after a dialog or panel closed and its button is gone. */
function useReturn() {
  const title = useRef<HTMLHeadingElement>(null);
  const [returns, setReturns] = useState(0);
  // Runs after the dialog has returned the focus to its button.
  useEffect(() => {
    if (returns > 0) title.current?.focus();
  }, [returns]);
  return { title, goBack: () => setReturns(returns + 1) };
}

/** Each role in one sentence. */
function RoleNotes() {
  const { roles, manage } = useOrganizeMessages();
  return (
    <dl className={people.notes}>
      {Object.entries(manage.people.roleNotes).map(([role, note]) => (
        <div key={role}>
          <dt>{roles[role]}</dt>
          <dd>{note}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Organizers() {
  const { organizers: words } = useOrganizeMessages();
  const cache = useQueryClient();
  const [invited, setInvited] = useState<{ name: string; invitation: InvitationLink } | null>(null);
  const mayMake = useMay()("organizer.token");
  const { title, goBack } = useReturn();
  const run = useGate();
  const finish: Done = (name, invitation) => {
    if (invitation) setInvited({ name, invitation });
    else goBack();
    void cache.invalidateQueries({ queryKey: ORGANIZERS_KEY });
    // The changed roles may be the owner's own.
    void cache.invalidateQueries({ queryKey: ME_KEY });
  };
  const columns = useColumns(finish);
  function leave() {
    setInvited(null);
    goBack();
  }
  return (
    <section className={people.people}>
      <div className={people.head}>
        <h2 ref={title} tabIndex={-1}>
          {words.title}
        </h2>
        <DialogButton text={words.add} title={words.add} className="button-primary">
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
      <QueryContent of={useOrganizers()} label={words.loading}>
        {(all) => <Table columns={columns} rows={all} keyOf={({ name }) => name} />}
      </QueryContent>
      <RoleNotes />
      {mayMake && <Tokens />}
    </section>
  );
}
