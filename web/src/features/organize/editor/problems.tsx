/** What `check` finds in the edited text, beside the field that it is about. */
import type { Found } from "../../../api/organize-sources";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";

/** The keys of `challenge.yml` that a part of the form is about. */
const KEYS = {
  name: ["name", "id"],
  category: ["category", "categories"],
  author: ["author"],
  description: ["description"],
  connection: ["connection_info"],
  solution: ["solution"],
  position: ["position"],
  scoring: ["type", "value", "extra", "scoring"],
  flags: ["flags"],
  flagFormat: ["flag_format"],
  hints: ["hints"],
  requirements: ["requirements"],
  files: ["files"],
} as const;

export type Place = keyof typeof KEYS;

const PLACED: ReadonlySet<string> = new Set(Object.values(KEYS).flat());

/** Those of a place; without one, those that no field is about. */
export function problemsAt(problems: readonly Found[], place: Place | null): readonly Found[] {
  return problems.filter(({ key }) => {
    if (place === null) return !key || !PLACED.has(key);
    return KEYS[place].some((one) => one === key);
  });
}

/** The fields of the form that have another name than their key. */
const FIELDS: Readonly<Record<string, string>> = {
  connection_info: "connection",
  flag_format: "flagFormat",
};

type Labels = Readonly<Record<string, string>>;

/** A message that names the fields as the form does, in place of keys between backticks. */
export function inWords(message: string, labels: Labels): string {
  return message.replace(/`(?:extra\.|scoring\.)?([a-z_]+)`/g, (quoted, key: string) => {
    const name = FIELDS[key] ?? key;
    const label = Object.hasOwn(labels, name) ? labels[name] : undefined;
    return label === undefined ? quoted : `“${label}”`;
  });
}

/** The errors of a field in one sentence after the other; null without one. */
export function faultAt(problems: readonly Found[], place: Place, labels: Labels): string | null {
  const errors = problemsAt(problems, place).filter(({ severity }) => severity === "error");
  return errors.length === 0
    ? null
    : errors.map(({ message }) => inWords(message, labels)).join(" ");
}

interface ProblemsProps {
  of: readonly Found[];
  /** Errors are said by the field itself. */
  warningsOnly?: boolean;
}

export function Problems({ of, warningsOnly = false }: ProblemsProps) {
  const { severities, labels } = useOrganizeMessages().pages.editor;
  const shown = warningsOnly ? of.filter(({ severity }) => severity !== "error") : of;
  if (shown.length === 0) return null;
  return (
    <div role="status">
      <ul className="org-problems">
        {shown.map(({ severity, message }) => (
          <li key={message} className={severity === "error" ? "org-bad" : "org-near"}>
            <strong>{wordFor(severities, severity)}</strong>:{" "}
            <span lang="en">{inWords(message, labels)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
