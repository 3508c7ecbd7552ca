/** Live edits since the files were applied: challenges, as `pull` would write them, and times. */
import { diffLines } from "diff";
import { Fragment, useState } from "react";
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { editAddress } from "../challenges/actions";
import { ListState } from "../frame/list";
import { Moment } from "../frame/moment";
import { useAllChallenges, useSettings, useSource } from "../frame/queries";
import { Status } from "../frame/status";
import { PageLink } from "../frame/view";
import { CommandList } from "./commands/command-list";
import styles from "./differences.module.css";

/** Number of context lines shown around a change. */
const AROUND = 2;

/** Shortens unchanged text to the lines next to a change. */
function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  if (lines.length <= head + tail + 1) return lines.join("\n");
  const end = tail === 0 ? [] : lines.slice(-tail);
  return [...lines.slice(0, head), "…", ...end].join("\n");
}

/** Removed and added lines, labeled in words for screen readers. */
function Lines({ before, now }: { before: string; now: string }) {
  const { event: words } = useOrganizeMessages().pages;
  const parts = diffLines(before, now);
  return (
    <pre className={styles.diff}>
      {parts.map(({ value, added, removed }, at) => {
        const key = `${at} ${value}`;
        if (!added && !removed) {
          return (
            <span key={key}>{`${shortened(value, at === 0, at === parts.length - 1)}\n`}</span>
          );
        }
        const Line = added ? "ins" : "del";
        const lines = value.replace(/\n$/, "").split("\n");
        return lines.map((line, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their index.
          <Line key={`${key} ${number}`}>
            {number === 0 && (
              <span className="visually-hidden">{added ? words.came : words.went} </span>
            )}
            {`${line}\n`}
          </Line>
        ));
      })}
    </pre>
  );
}

/** Number of added and removed lines. */
function countsOf(before: string, now: string) {
  const sum = (kind: "added" | "removed") =>
    diffLines(before, now).reduce((all, part) => all + (part[kind] ? part.count : 0), 0);
  return { added: sum("added"), removed: sum("removed") };
}

function Difference({ id }: { id: string }) {
  const { event: words, editor } = useOrganizeMessages().pages;
  const { files } = useOrganizeMessages().manage;
  return (
    <ListState of={useSource(id)}>
      {({ text, applied, path }) => {
        const { added, removed } = countsOf(applied ?? "", text);
        return (
          <>
            <p className={styles.path}>
              <code>{path}</code>
              <span className={styles.counts}>{files.lines(added, removed)}</span>
              {(applied ?? null) === null && <span className="org-note">{words.madeLive}</span>}
              <PageLink to={editAddress(id)}>{editor.edit}</PageLink>
            </p>
            <Lines before={applied ?? ""} now={text} />
          </>
        );
      }}
    </ListState>
  );
}

function Changed({ challenge }: { challenge: ListedChallenge }) {
  const { manage } = useOrganizeMessages();
  const [isOpen, setOpen] = useState(false);
  const { id, challengeName, changedBy, changedAt } = challenge;
  const detail = `difference-${id}`;
  return (
    <Fragment>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={styles.open}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detail : undefined}
            aria-label={manage.files.show(challengeName)}
            onClick={() => setOpen(!isOpen)}
          >
            <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> <bdi>{challengeName}</bdi>
          </button>
        </th>
        <td>
          <bdi>{changedBy}</bdi>
        </td>
        <td>
          <Moment ms={changedAt} />
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.detail} id={detail}>
          <td colSpan={3}>
            <div className={styles.body}>
              <Difference id={id} />
            </div>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** The event's times, edited live. */
function ChangedTimes({ by, atMs }: { by: string; atMs: number }) {
  const { files } = useOrganizeMessages().manage;
  return (
    <tr>
      <th scope="row">
        <PageLink to="/organize/event">{files.times}</PageLink>
      </th>
      <td>
        <bdi>{by}</bdi>
      </td>
      <td>
        <Moment ms={atMs} />
      </td>
    </tr>
  );
}

function Edits() {
  const { event: words } = useOrganizeMessages().pages;
  const { files } = useOrganizeMessages().manage;
  const { timesChangedBy: by, timesChangedAt: at } = useSettings().data?.event ?? {};
  const times = by && at ? <ChangedTimes by={by} atMs={at} /> : null;
  return (
    <ListState of={useAllChallenges()}>
      {(all) => {
        const changed = all.filter(({ changedBy }) => changedBy);
        const count = changed.length + (times ? 1 : 0);
        if (count === 0) {
          return (
            <div role="status" className={styles.same}>
              <Status mark="good">{words.filesSame}</Status>
              <p className="org-note">{files.sameNote}</p>
            </div>
          );
        }
        return (
          <>
            <div role="status">
              <Status mark="warn">{files.edited(count)}</Status>
              <p className="org-note">{words.filesNote}</p>
            </div>
            <table className={`org-table ${styles.table}`}>
              <thead>
                <tr>
                  <th scope="col">{files.object}</th>
                  <th scope="col">{files.by}</th>
                  <th scope="col">{files.when}</th>
                </tr>
              </thead>
              <tbody>
                {times}
                {changed.map((challenge) => (
                  <Changed key={challenge.id} challenge={challenge} />
                ))}
              </tbody>
            </table>
          </>
        );
      }}
    </ListState>
  );
}

export default function Differences() {
  const { event: words } = useOrganizeMessages().pages;
  const { files } = useOrganizeMessages().manage;
  return (
    <div className={styles.files}>
      <section className={styles.edits} aria-labelledby="live-edits">
        <h2 id="live-edits">{words.files}</h2>
        <Edits />
      </section>
      <section className={`org-card ${styles.commands}`} aria-labelledby="file-commands">
        <div>
          <h2 id="file-commands">{files.commands}</h2>
          <p className="org-note">{files.commandsNote}</p>
        </div>
        <CommandList names={["pull", "check", "apply"]} />
      </section>
    </div>
  );
}
