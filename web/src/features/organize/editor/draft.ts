/**
 * The draft of a challenge: what is typed, on the file as it was read. It is kept in the tab's
 * storage, and moved onto the file as it is when somebody else changes that.
 */
import { useEffect, useState } from "react";
import { readKept, writeKept } from "../../../api/organize-drafts";
import { isRecord, textOr } from "../../../api/unknown";
import { changedParts, type Form, type Part, partsOf, readForm, rebased } from "./form";

/** The file, or what a new challenge begins with. */
export interface Ground {
  readonly form: Form;
  /** Differs whenever the file does. */
  readonly version: string;
}

interface Draft {
  readonly form: Form;
  readonly ground: Ground;
  /** The id of a new challenge, as far as it was typed. */
  readonly id: string;
  /** What somebody else changed too since it was typed; mine stays. */
  readonly both: readonly Part[];
  /** What was saved of it, while the file that has it was not read yet. */
  readonly saved?: Form | undefined;
}

export const fresh = (ground: Ground): Draft => ({ form: ground.form, ground, id: "", both: [] });

/** A draft from the tab's storage; null if it is none. */
export function readDraft(kept: unknown): Draft | null {
  if (!isRecord(kept) || !isRecord(kept.ground)) return null;
  const [form, base] = [readForm(kept.form), readForm(kept.ground.form)];
  if (!form || !base) return null;
  const ground = { form: base, version: textOr(kept.ground.version, "") };
  const saved = readForm(kept.saved) ?? undefined;
  return { form, ground, id: textOr(kept.id, ""), both: partsOf(kept.both), saved };
}

/** The form that a draft changes: that of the file, as far as it is known. */
const baseOf = ({ saved, ground }: Draft): Form => saved ?? ground.form;

/** A draft on a file that is another one now. */
export function moved(draft: Draft, ground: Ground): Draft {
  const { form, both } = rebased(draft.form, baseOf(draft), ground.form);
  return { form, ground, id: draft.id, both: [...new Set([...draft.both, ...both])] };
}

/** The parts that somebody else has changed too, and that are not as theirs by now. */
export function bothOf({ form, ground, both }: Draft): readonly Part[] {
  const mine = changedParts(form, ground.form);
  return both.filter((part) => mine.includes(part));
}

/** A draft of which a form was saved on the file of a version: what was typed since stays. */
export function savedOn(draft: Draft, version: string, saved: Form): Draft {
  const isRead = draft.ground.version !== version;
  const won = { ...draft, saved, both: [] };
  return isRead ? moved(won, draft.ground) : won;
}

export function useEditorDraft(key: string, ground: Ground) {
  const [draft, setDraft] = useState(() => readDraft(readKept(key)) ?? fresh(ground));
  // Somebody has changed the file.
  if (draft.ground.version !== ground.version) setDraft(moved(draft, ground));
  const { form, id } = draft;
  const base = baseOf(draft);
  // Also what is not worth a save is kept, such as an empty hint.
  const isTyped = id !== "" || changedParts(form, base).length > 0;
  useEffect(() => writeKept(key, isTyped ? draft : null), [key, draft, isTyped]);
  return {
    form,
    /** What it is changed from. */
    base,
    id,
    both: bothOf(draft),
    set: <Name extends Part>(part: Name, value: Form[Name]) =>
      setDraft((before) => ({ ...before, form: { ...before.form, [part]: value } })),
    /** Changes a part from what it is by then. */
    update: <Name extends Part>(part: Name, change: (before: Form[Name]) => Form[Name]) =>
      setDraft((before) => {
        return { ...before, form: { ...before.form, [part]: change(before.form[part]) } };
      }),
    setId: (id: string) => setDraft((before) => ({ ...before, id })),
    /** Takes the file as it is. */
    discard: () => setDraft(fresh(ground)),
    /** A form was saved on the file of this version: the file that comes next has it. */
    saved: (version: string, form: Form) => setDraft((before) => savedOn(before, version, form)),
    /** It is not needed any more. */
    forget: () => writeKept(key, null),
  };
}

export type EditorDraft = ReturnType<typeof useEditorDraft>;

/** Says before a tab with unsaved changes is closed that they would be lost. */
export function useLeaving(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [isChanged]);
}
