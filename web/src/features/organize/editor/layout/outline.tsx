/** Outline of the editor: its sections, with their problems and unsaved changes. */
import { Fragment, type MouseEvent, useEffect } from "react";
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import { KeyHint, useShortcut } from "../../frame/keys";
import { focusedSection, type Jump } from "./jump";
import styles from "./layout.module.css";
import { type Marks, nextSection, type SectionName } from "./sections";

export interface OutlineProps {
  names: readonly SectionName[];
  current: SectionName;
  marks: (name: SectionName) => Marks;
  jump: Jump;
}

function Triangle() {
  return (
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path
        d="M6 1.2L11.4 10.6H.6zM6 4.7v2.8M6 8.6v.9"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Texts of the marks, for screen readers and the menu of phones. */
function useMarkTexts() {
  const { editor: words } = useOrganizeMessages().pages;
  return ({ errors, warnings, isEdited, isInConflict }: Marks): readonly string[] =>
    [
      errors > 0 && words.errors(errors),
      warnings > 0 && words.warnings(warnings),
      isInConflict && words.inConflict,
      isEdited && words.edited,
    ].filter((text) => text !== false);
}

function MarksOf({ marks }: { marks: Marks }) {
  const texts = useMarkTexts()(marks);
  const { errors, warnings, isEdited, isInConflict } = marks;
  if (texts.length === 0) return null;
  return (
    <span className={styles.marks} title={texts.join(", ")}>
      {errors > 0 && (
        <span className={styles.error} aria-hidden="true">
          {errors}
        </span>
      )}
      {errors === 0 && (warnings > 0 || isInConflict) && (
        <span className={styles.warning}>
          <Triangle />
        </span>
      )}
      {isEdited && <span className={styles.edited} />}
      <span className="visually-hidden">{texts.join(", ")}</span>
    </span>
  );
}

function Shortcut(props: { name: SectionName; digit: string; jump: Jump }) {
  const { name, digit, jump } = props;
  const { editor: words } = useOrganizeMessages().pages;
  const label = `${words.goToSection}: ${wordFor(words.sections, name)}`;
  useShortcut(digit, label, () => jump(name, { isByKey: true }));
  return null;
}

/** Keys between sections outside of fields, and F8 to the next problem from anywhere. */
function useOutlineKeys(props: OutlineProps): void {
  const { names, current, jump } = props;
  const { editor: words } = useOrganizeMessages().pages;
  const step = (by: 1 | -1) => {
    const next = nextSection(names, focusedSection() ?? current, by);
    if (next) jump(next, { isByKey: true });
  };
  useShortcut("]", words.goToNext, () => step(1));
  useShortcut("[", words.goToPrevious, () => step(-1));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "F8" || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      jumpToProblem(props, event.shiftKey ? -1 : 1);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}

/** Jumps to the next section with an error, else with a warning or a conflict. */
export function jumpToProblem(props: OutlineProps, by: 1 | -1 = 1): void {
  const { names, current, marks, jump } = props;
  const from = focusedSection() ?? current;
  const next =
    nextSection(names, from, by, (name) => marks(name).errors > 0) ??
    nextSection(names, from, by, (name) => marks(name).warnings > 0 || marks(name).isInConflict);
  if (next) jump(next, { isByKey: true });
}

export function Outline(props: OutlineProps) {
  const { names, current, marks, jump } = props;
  const { editor: words } = useOrganizeMessages().pages;
  useOutlineKeys(props);
  const press = (name: SectionName) => (event: MouseEvent) =>
    jump(name, { isByKey: event.detail === 0 });
  return (
    <nav aria-label={words.outline} className={styles.outline}>
      <ol>
        {names.map((name, at) => (
          <Fragment key={name}>
            <Shortcut name={name} digit={`${at + 1}`} jump={jump} />
            <li>
              <button
                type="button"
                aria-current={name === current ? "location" : undefined}
                aria-keyshortcuts={`${at + 1}`}
                onClick={press(name)}
              >
                <span>{wordFor(words.sections, name)}</span>
                <KeyHint of={`${at + 1}`} />
                <MarksOf marks={marks(name)} />
              </button>
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

/** The outline as a menu, on a phone. */
export function SectionMenu({ names, current, marks, jump }: OutlineProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const texts = useMarkTexts();
  return (
    <select
      aria-label={words.goToSection}
      value={current}
      onChange={(event) => {
        const name = names.find((one) => one === event.currentTarget.value);
        if (name) jump(name, { isByKey: false });
      }}
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {[wordFor(words.sections, name), texts(marks(name)).join(", ")]
            .filter(Boolean)
            .join(" – ")}
        </option>
      ))}
    </select>
  );
}
