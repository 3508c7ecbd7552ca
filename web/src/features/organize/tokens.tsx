/** API tokens: a dialog that creates one and shows it once, and the list of all for owners. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import {
  getTokens,
  type ListedToken,
  postEndToken,
  postToken,
  SESSIONS_KEY,
  TOKENS_KEY,
} from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Field, Form, formText } from "../../ui/field/field";
import { ShownOnce } from "./copy-button";
import { DialogButton } from "./dialog-button";
import { useSentence, useShowError } from "./fault";
import { DialogFoot } from "./forms/dialog-parts";
import styles from "./organize.module.css";
import { useGate } from "./second-factor-gate";
import { useTimeText } from "./time-field";

const DAYS_MAX = 366;

interface TokenProps {
  /** Organizer name; null for the logged-in organizer. */
  name: string | null;
  onClose: () => void;
}

export function NewToken({ name, onClose }: TokenProps) {
  const { tokens: words } = useOrganizeMessages().console;
  const { cancel } = useOrganizeMessages();
  const run = useGate();
  const readAgain = useReadAgain();
  const sentence = useSentence();
  const [fault, setFault] = useState<string | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const making = useMutation({
    mutationFn: (days: number) => run(() => postToken(name, days)),
    onSuccess: (made) => {
      setToken(made);
      readAgain();
    },
    onError: (error) => setFault(sentence(error)),
  });
  function submit(form: HTMLFormElement) {
    const days = Number(formText(form, "days"));
    const isDays = Number.isInteger(days) && days >= 1 && days <= DAYS_MAX;
    setFault(isDays ? null : words.daysFault);
    if (isDays && !making.isPending) making.mutate(days);
  }
  if (token !== null) {
    return (
      <div className={styles.stack}>
        <p>{words.once}</p>
        <ShownOnce text={token} label={words.token} copy={words.copy}>
          <button type="button" onClick={onClose}>
            {words.close}
          </button>
        </ShownOnce>
      </div>
    );
  }
  return (
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
      <DialogFoot>
        <div className={styles.row}>
          <button type="submit" disabled={making.isPending}>
            {words.make}
          </button>
          <button type="button" onClick={onClose}>
            {cancel}
          </button>
        </div>
      </DialogFoot>
    </Form>
  );
}

export function MakeToken({ name }: { name: string | null }) {
  const { tokens: words } = useOrganizeMessages().console;
  const title = name === null ? words.makeOwn : words.makeOf(name);
  return (
    <DialogButton isNamed text={words.button} title={title}>
      {(close) => <NewToken name={name} onClose={close} />}
    </DialogButton>
  );
}

interface EndRowProps {
  of: { readonly createdAt: number; readonly expiresAt: number };
  /** Accessible name of the button, built from the creation time. */
  labelOf: (created: string) => string;
  end: { readonly isPending: boolean; mutate(): void };
  children: ReactNode;
}

/** A session or API token, with a button to revoke it. */
export function EndRow({ of, labelOf, end, children }: EndRowProps) {
  const { sessions: words } = useOrganizeMessages();
  const timeText = useTimeText();
  const created = timeText(of.createdAt);
  return (
    <li className={`${styles.row} ${styles.spread}`}>
      <div>
        <p>{children}</p>
        <p className={styles.muted}>
          {words.created(created)} · {words.expires(timeText(of.expiresAt))}
        </p>
      </div>
      <button
        type="button"
        aria-label={labelOf(created)}
        disabled={end.isPending}
        onClick={() => end.mutate()}
      >
        {words.end}
      </button>
    </li>
  );
}

function useReadAgain() {
  const cache = useQueryClient();
  return () => {
    void cache.invalidateQueries({ queryKey: TOKENS_KEY });
    void cache.invalidateQueries({ queryKey: SESSIONS_KEY });
  };
}

function TokenRow({ token }: { token: ListedToken }) {
  const { tokens: words } = useOrganizeMessages().console;
  const run = useGate();
  const { organizer, id } = token;
  const end = useMutation({
    mutationFn: () => run(() => postEndToken(organizer, id)),
    onSuccess: useReadAgain(),
    onError: useShowError(),
  });
  return (
    <EndRow of={token} labelOf={(created) => words.endOf(organizer, created)} end={end}>
      <bdi>{organizer}</bdi>
    </EndRow>
  );
}

/** The tokens of all organizers; renders nothing if there are none. */
export function Tokens() {
  const { tokens: words } = useOrganizeMessages().console;
  const run = useGate();
  const { data } = useQuery({ queryKey: TOKENS_KEY, queryFn: () => run(getTokens) });
  if (!data || data.length === 0) return null;
  return (
    <section className={styles.block}>
      <h3>{words.title}</h3>
      <ul className={styles.list}>
        {data.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
    </section>
  );
}
