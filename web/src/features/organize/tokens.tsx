/** Tokens for scripts: a dialog that makes one and shows it once, and for owners all that exist. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import {
  getTokens,
  type ListedToken,
  postEndToken,
  postToken,
  SESSIONS_KEY,
  TOKENS_KEY,
} from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Dialog } from "../../ui/dialog/dialog";
import { Field, Form, formText } from "../../ui/field/field";
import { CopyButton } from "./copy-button";
import { DialogButton } from "./dialog-button";
import { useSentence, useShowError } from "./fault";
import { useGate } from "./gate";
import styles from "./organize.module.css";
import { useTimeText } from "./time";

const DAYS_MAX = 366;

/** The new token, in a field from which it is copied. */
function Shown({ token, onClose }: { token: string; onClose: () => void }) {
  const { tokens: words } = useOrganizeMessages().console;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div className={styles.stack}>
      <p>{words.once}</p>
      <Field
        ref={field}
        label={words.token}
        value={token}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={token} label={words.copy}>
        <button type="button" onClick={onClose}>
          {words.close}
        </button>
      </CopyButton>
    </div>
  );
}

interface TokenDialogProps {
  /** Of whom; null for the organizer who is signed in. */
  name: string | null;
  onClose: () => void;
}

export function TokenDialog({ name, onClose }: TokenDialogProps) {
  const { tokens: words } = useOrganizeMessages().console;
  const { cancel } = useOrganizeMessages();
  const run = useGate();
  const cache = useQueryClient();
  const sentence = useSentence();
  const [fault, setFault] = useState<string | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const making = useMutation({
    mutationFn: (days: number) => run(() => postToken(name, days)),
    onSuccess: (made) => {
      setToken(made);
      void cache.invalidateQueries({ queryKey: SESSIONS_KEY });
      void cache.invalidateQueries({ queryKey: TOKENS_KEY });
    },
    onError: (error) => setFault(sentence(error)),
  });
  function submit(form: HTMLFormElement) {
    const days = Number(formText(form, "days"));
    const isDays = Number.isInteger(days) && days >= 1 && days <= DAYS_MAX;
    setFault(isDays ? null : words.daysFault);
    if (isDays && !making.isPending) making.mutate(days);
  }
  return (
    <Dialog title={name === null ? words.makeOwn : words.makeOf(name)} onClose={onClose}>
      {token !== null ? (
        <Shown token={token} onClose={onClose} />
      ) : (
        <Form className={styles.stack} noValidate onSubmit={submit}>
          <p>{words.note}</p>
          <Field
            announced
            label={words.days}
            name="days"
            inputMode="numeric"
            autoComplete="off"
            defaultValue="30"
            fault={fault}
          />
          <div className={styles.row}>
            <button type="submit" disabled={making.isPending}>
              {words.make}
            </button>
            <button type="button" onClick={onClose}>
              {cancel}
            </button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

/** The button that opens the dialog. */
export function MakeToken({ name }: { name: string | null }) {
  const { tokens: words } = useOrganizeMessages().console;
  return (
    <DialogButton text={words.button} label={name === null ? words.makeOwn : words.makeOf(name)}>
      {(close) => <TokenDialog name={name} onClose={close} />}
    </DialogButton>
  );
}

function TokenRow({ token }: { token: ListedToken }) {
  const { tokens: words } = useOrganizeMessages().console;
  const { sessions } = useOrganizeMessages();
  const timeText = useTimeText();
  const run = useGate();
  const cache = useQueryClient();
  const showError = useShowError();
  const { organizer, id, createdAt, expiresAt } = token;
  const created = timeText(createdAt);
  const end = useMutation({
    mutationFn: () => run(() => postEndToken(organizer, id)),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: TOKENS_KEY });
      void cache.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
    onError: showError,
  });
  return (
    <li className={`${styles.row} ${styles.spread}`}>
      <div>
        <p>
          <bdi>{organizer}</bdi>
        </p>
        <p className={styles.muted}>
          {sessions.created(created)}
          <br />
          {sessions.expires(timeText(expiresAt))}
        </p>
      </div>
      <button
        type="button"
        aria-label={words.endOf(organizer, created)}
        disabled={end.isPending}
        onClick={() => end.mutate()}
      >
        {sessions.end}
      </button>
    </li>
  );
}

/** The tokens of all organizers; nothing without any. */
export function Tokens() {
  const { tokens: words } = useOrganizeMessages().console;
  const run = useGate();
  const { data } = useQuery({ queryKey: TOKENS_KEY, queryFn: () => run(getTokens) });
  if (!data || data.length === 0) return null;
  return (
    <>
      <h3>{words.title}</h3>
      <ul className={styles.list}>
        {data.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
    </>
  );
}
