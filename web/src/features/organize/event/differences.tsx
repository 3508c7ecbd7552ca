/** Which challenges were changed live since files were applied, and how: what `pull` writes. */
import { diffLines } from "diff";
import { useState } from "react";
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { editAddress } from "../challenges/actions";
import { ListState } from "../frame/list";
import { Moment } from "../frame/moment";
import { useEveryChallenge, useSource } from "../frame/reading";
import { PageLink } from "../frame/view";

/** Lines around a change that are shown with it. */
const AROUND = 2;

/** Of what both have, only the lines next to a change. */
function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  if (lines.length <= head + tail + 1) return lines.join("\n");
  const end = tail === 0 ? [] : lines.slice(-tail);
  return [...lines.slice(0, head), "…", ...end].join("\n");
}

/** Lines that went and came, said in words for who does not see the signs before them. */
function Lines({ before, now }: { before: string; now: string }) {
  const { event: words } = useOrganizeMessages().pages;
  const parts = diffLines(before, now);
  return (
    <pre className="org-diff">
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place.
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

function Difference({ id }: { id: string }) {
  const { event: words } = useOrganizeMessages().pages;
  return (
    <ListState of={useSource(id)}>
      {({ text, applied, path }) => (
        <>
          <p className="org-note">
            <code>{path}</code> {(applied ?? null) === null && words.madeLive}
          </p>
          <Lines before={applied ?? ""} now={text} />
        </>
      )}
    </ListState>
  );
}

function Changed({ challenge }: { challenge: ListedChallenge }) {
  const { editor, event: words } = useOrganizeMessages().pages;
  const [isOpen, setOpen] = useState(false);
  const { id, challengeName, changedBy, changedAt } = challenge;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <bdi>{challengeName}</bdi>: {words.changedBy} <bdi>{changedBy}</bdi>,{" "}
          <Moment ms={changedAt} />
        </summary>
        {isOpen && (
          <div className="org-stack">
            <Difference id={id} />
            <p>
              <PageLink to={editAddress(id)}>{editor.edit}</PageLink>
            </p>
          </div>
        )}
      </details>
    </li>
  );
}

export default function Differences() {
  const { event: words } = useOrganizeMessages().pages;
  const challenges = useEveryChallenge();
  return (
    <section className="org-card">
      <h2>{words.files}</h2>
      <p className="org-note">
        {words.filesNote} <code>flagship pull</code>
      </p>
      <ListState of={challenges}>
        {(all) => {
          const changed = all.filter(({ changedBy }) => changedBy);
          if (changed.length === 0) return <p role="status">{words.filesSame}</p>;
          return (
            <ul className="org-stream">
              {changed.map((challenge) => (
                <Changed key={challenge.id} challenge={challenge} />
              ))}
            </ul>
          );
        }}
      </ListState>
    </section>
  );
}
