/** A part that a colleague changed too: both versions, and the choice between them. */
import { diffLines } from "diff";
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import type { HintOf, Typed } from "../form";
import styles from "./conflict.module.css";
import type { Editing } from "./use-editor";

type Name = Extract<keyof Typed, string>;

function hintLine({ text, at, title, cost, key, after }: HintOf): string {
  const details = [key, title, at, cost, after].filter(Boolean).join(", ");
  return details ? `${text} (${details})` : text;
}

/** Value of a part as text, one item a line. */
function useText(nameOf: (id: string) => string) {
  const { editor: words } = useOrganizeMessages().pages;
  return (form: Typed, name: Name): string => {
    switch (name) {
      case "flags":
        return form.flags
          .map(({ kind, text }) => `${text} (${wordFor(words.kinds, kind)})`)
          .join("\n");
      case "hints":
        return form.hints.map(hintLine).join("\n");
      case "files":
        return form.files.map(({ name }) => name).join("\n");
      case "requirements":
        return form.requirements.map(nameOf).join("\n");
      case "type":
        return wordFor(words.types, form.type);
      default:
        return form[name];
    }
  };
}

/** Lines of the own version that theirs lacks, and the other way round. */
function Difference({ mine, theirs }: { mine: string; theirs: string }) {
  const { event: words } = useOrganizeMessages().pages;
  const parts = diffLines(mine, theirs).map((part, at) => ({ ...part, key: `${at}` }));
  return (
    <pre className={styles.lines}>
      {parts.map(({ key, value, added, removed }) => {
        const text = value.replace(/\n$/, "");
        if (!added && !removed) return <span key={key}>{text}</span>;
        const Line = added ? "ins" : "del";
        return (
          <Line key={key}>
            <span className="visually-hidden">{added ? words.came : words.went} </span>
            {text}
          </Line>
        );
      })}
    </pre>
  );
}

export function Conflict({ name, editing }: { name: Name; editing: Editing }) {
  const { editor: words } = useOrganizeMessages().pages;
  const { draft, changedBy, nameOf } = editing;
  const text = useText(nameOf);
  if (!draft.both.includes(name)) return null;
  const label = wordFor(words.labels, name);
  const mine = draft.values[name];
  const takeTheirs = () => draft.set(name, draft.base[name]);
  // Dropping the edit and making it again bases it on their version.
  function keepMine() {
    takeTheirs();
    draft.set(name, mine);
  }
  const theirs = text(draft.base, name);
  return (
    <div className={styles.conflict}>
      <p>{words.theirs(changedBy)}:</p>
      <Difference mine={text(draft.values, name)} theirs={theirs || words.nothing} />
      <p className={styles.choice}>
        <button type="button" aria-label={words.takeTheirsOf(label)} onClick={takeTheirs}>
          {words.takeTheirs}
        </button>
        <button type="button" aria-label={words.keepMineOf(label)} onClick={keepMine}>
          {words.keepMine}
        </button>
      </p>
    </div>
  );
}
