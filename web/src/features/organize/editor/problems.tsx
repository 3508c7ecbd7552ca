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

/** The errors of a field in one sentence after the other; null without one. */
export function faultAt(problems: readonly Found[], place: Place): string | null {
  const errors = problemsAt(problems, place).filter(({ severity }) => severity === "error");
  return errors.length === 0 ? null : errors.map(({ message }) => message).join(" ");
}

interface ProblemsProps {
  of: readonly Found[];
  /** Errors are said by the field itself. */
  warningsOnly?: boolean;
}

export function Problems({ of, warningsOnly = false }: ProblemsProps) {
  const { severities } = useOrganizeMessages().pages.editor;
  const shown = warningsOnly ? of.filter(({ severity }) => severity !== "error") : of;
  if (shown.length === 0) return null;
  return (
    <div role="status">
      <ul className="org-problems">
        {shown.map(({ severity, message }) => (
          <li key={message} className={severity === "error" ? "org-bad" : "org-near"}>
            <strong>{wordFor(severities, severity)}</strong>: <span lang="en">{message}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
