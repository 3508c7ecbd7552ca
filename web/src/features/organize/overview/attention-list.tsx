/** The list of what needs attention: each item with its age and one action. */
import { useState } from "react";
import type { Overview } from "../../../api/organize-lists";
import { useCtf } from "../../../api/queries";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { copyText } from "../../../ui/copy/copy";
import { useOpenAction } from "../change/action-dialog";
import { BackupButton } from "../event/backup";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMomentText } from "../frame/moment";
import { useChallenges, useEvidence, useMay, useQuestions } from "../frame/queries";
import { Status } from "../frame/status";
import { PageLink, pageAddress, useScoreboardView } from "../frame/view";
import { type AttentionItem, attentionItems, commandIn } from "./attention";
import styles from "./attention.module.css";
import { useReadiness } from "./readiness-list";
import { useAgeText } from "./times";

/** A text with commands in backticks. */
function Detail({ text }: { text: string }) {
  return text.split("`").map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
}

function CopyCommand({ command }: { command: string }) {
  const words = useOrganizeMessages();
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const result = isCopied === true ? words.copied : words.copyFailed;
  return (
    <>
      <button
        type="button"
        className="org-small"
        onClick={() => void copyText(command).then(setCopied)}
      >
        {words.day.copyCommand}
      </button>
      <span role="status" className={styles.copied}>
        {isCopied !== null && result}
      </span>
    </>
  );
}

/**
 * The action of an item: a dialog, a backup, a command to copy, or its page. With a labeled page,
 * the dialog is a quiet second one.
 */
function Act({ item }: { item: AttentionItem }) {
  const { day, pages } = useOrganizeMessages();
  const ask = useOpenAction();
  const { order, detail = "", isBackup, path, query, text, pageLabel } = item;
  if (isBackup) return <BackupButton className="org-small" />;
  if (order) {
    const name = order.action;
    const label = name === "question.answer" ? day.answer : wordFor(pages.sheet.actions, name);
    return (
      <>
        {path !== undefined && pageLabel !== undefined && (
          <PageLink to={path} className={`button org-small ${styles.main}`}>
            {pageLabel}
          </PageLink>
        )}
        <button
          type="button"
          className="org-small"
          data-second={pageLabel !== undefined || undefined}
          onClick={() => ask(order)}
        >
          {label}
        </button>
      </>
    );
  }
  const command = commandIn(detail);
  if (command !== null) return <CopyCommand command={command} />;
  if (path === undefined) return null;
  return (
    <PageLink
      to={path}
      className={`button org-small ${styles.open}`}
      aria-label={day.openOf(text)}
      {...(query && { query })}
    >
      {day.open}
    </PageLink>
  );
}

function Age({ since, now }: { since: number | null | undefined; now: number }) {
  const { day } = useOrganizeMessages();
  const ageText = useAgeText();
  if (typeof since !== "number" || since >= now) return null;
  return (
    <time className={styles.age} dateTime={new Date(since).toISOString()}>
      {day.age(ageText(now - since))}
    </time>
  );
}

interface RowProps {
  item: AttentionItem;
  place: number;
  now: number;
}

function Row({ item, place, now }: RowProps) {
  const { day } = useOrganizeMessages();
  const whose = useScoreboardView();
  const { text, detail, path, query, severity, since, isEnglish } = item;
  const address = path && pageAddress(path, whose, query);
  const hasKey = place <= 9 && address !== undefined;
  useShortcut(`g ${place}`, text, hasKey ? () => go(address) : undefined);
  return (
    <li className={styles.item} data-severity={severity}>
      <Status mark={severity}>
        <span className="visually-hidden">{day.severity[severity]}</span>
      </Status>
      <div className={styles.what} lang={isEnglish ? "en" : undefined}>
        {address === undefined ? (
          <strong>{text}</strong>
        ) : (
          <a data-row href={address}>
            {text}
          </a>
        )}
        {detail && (
          <p className={styles.detail}>
            <Detail text={detail} />
          </p>
        )}
      </div>
      <div className={styles.end}>
        <Age since={since} now={now} />
        <Act item={item} />
        {hasKey && <KeyHint of={`g ${place}`} />}
      </div>
    </li>
  );
}

/** Says what was checked, and when; `open` is the number of open preparations. */
function Clear({ now, open = 0 }: { now: number; open?: number }) {
  const { day } = useOrganizeMessages();
  const timeText = useMomentText();
  const may = useMay();
  const { challenges, questions, mail, backup, server } = day.checks;
  const checked = [
    ...(may("question.list") ? [questions] : []),
    challenges,
    ...(may("team.resend") ? [mail] : []),
    ...(may("event.backup") ? [backup] : []),
    server,
  ];
  return (
    <div className={styles.clear} data-open={open > 0 || undefined}>
      <Status mark={open > 0 ? "wait" : "good"}>
        {open > 0 ? day.noWarnings(open) : day.clear}
      </Status>
      <p>
        {day.checked(timeText(now))}: {checked.join(", ")}.
      </p>
    </div>
  );
}

/** Before the start, open preparations need attention too. They are listed below. */
function ClearBefore({ overview }: { overview: Overview }) {
  const open = useReadiness(overview).filter(({ isDone }) => !isDone).length;
  return <Clear now={overview.now} open={open} />;
}

export function Attention({ overview }: { overview: Overview }) {
  const { day, pages } = useOrganizeMessages();
  const may = useMay();
  const challenges = useChallenges().data ?? [];
  const questions = useQuestions().data ?? [];
  const evidence = useEvidence().data?.pairs ?? [];
  const isCeremony = useCtf().data?.info.revealAtEnd === false;
  const read = { overview, challenges, questions, evidence, isCeremony, may };
  const words = { day, overview: pages.overview, evidence: pages.evidence };
  const items = attentionItems(read, words);
  const isBefore = overview.status === "not_started";
  return (
    <section className={styles.attention} aria-labelledby="attention">
      <h2 id="attention">
        {pages.overview.waits}
        {items.length > 0 && <span className={styles.count}>{items.length}</span>}
      </h2>
      {items.length === 0 &&
        (isBefore ? <ClearBefore overview={overview} /> : <Clear now={overview.now} />)}
      {items.length > 0 && (
        <ol className={styles.items}>
          {items.map((item, at) => (
            <Row key={item.key} item={item} place={at + 1} now={overview.now} />
          ))}
        </ol>
      )}
    </section>
  );
}
