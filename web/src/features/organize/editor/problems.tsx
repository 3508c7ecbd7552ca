/** Problems that `check` finds in the draft, shown beside their fields. */
import type { Found } from "../../../api/organize-sources";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import styles from "./section.module.css";

/** Keys of `challenge.yml` covered by each part of the form. */
const KEYS = {
  name: ["name", "id"],
  category: ["category", "categories"],
  author: ["author"],
  tags: ["tags"],
  difficulty: ["difficulty"],
  attribution: ["attribution"],
  description: ["description"],
  connection: ["connection_info"],
  solution: ["solution"],
  position: ["position"],
  scoring: ["type", "value", "extra", "scoring"],
  flags: ["flags"],
  flagFormat: ["flag_format"],
  logic: ["logic"],
  attempts: ["attempts"],
  hints: ["hints"],
  requirements: ["requirements"],
  files: ["files"],
} as const;

export type Place = keyof typeof KEYS;

const PLACED: ReadonlySet<string> = new Set(Object.values(KEYS).flat());

/** Problems at a place in the form; with null, those that belong to no field. */
export function problemsAt(problems: readonly Found[], place: Place | null): readonly Found[] {
  return problems.filter(({ key }) => {
    if (place === null) return !key || !PLACED.has(key);
    return KEYS[place].some((one) => one === key);
  });
}

/** Form fields whose label differs from their key. */
const FIELDS: Readonly<Record<string, string>> = {
  connection_info: "connection",
  flag_format: "flagFormat",
};

type Labels = Readonly<Record<string, string>>;

/** Replaces keys in backticks with the labels of the form. */
export function inWords(message: string, labels: Labels): string {
  return message.replace(/`(?:extra\.|scoring\.)?([a-z_]+)`/g, (quoted, key: string) => {
    const name = FIELDS[key] ?? key;
    const label = Object.hasOwn(labels, name) ? labels[name] : undefined;
    return label === undefined ? quoted : `“${label}”`;
  });
}

/** Joins the errors of a field; null if there are none. */
export function faultAt(problems: readonly Found[], place: Place, labels: Labels): string | null {
  const errors = problemsAt(problems, place).filter(({ severity }) => severity === "error");
  return errors.length === 0
    ? null
    : errors.map(({ message }) => inWords(message, labels)).join(" ");
}

interface ProblemsProps {
  of: readonly Found[];
  /** True if the field itself shows the errors. */
  warningsOnly?: boolean;
}

export function Problems({ of, warningsOnly = false }: ProblemsProps) {
  const { severities, labels } = useOrganizeMessages().pages.editor;
  const shown = warningsOnly ? of.filter(({ severity }) => severity !== "error") : of;
  if (shown.length === 0) return null;
  return (
    <div role="status">
      <ul className={styles.problems}>
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
