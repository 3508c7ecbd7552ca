/** State of the editor: the draft, its uploads, its problems, and the order that saves it. */
import { useEffect, useState } from "react";
import { useDraft } from "../../../../api/drafts";
import { dropKept } from "../../../../api/organize-drafts";
import type { ListedChallenge } from "../../../../api/organize-lists";
import { type Change, postPreview, type Source } from "../../../../api/organize-sources";
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import { go } from "../../../../navigate";
import { editAddress, idFor } from "../../challenges/actions";
import type { Order } from "../../change/order";
import { useTypedPreview } from "../../change/preview";
import { useLeaving } from "../../forms/form";
import { useMayWith } from "../../frame/queries";
import { useMe } from "../../queries";
import { useSending } from "../files";
import { changedFields, EMPTY, formOf, newFields, type Typed } from "../form";
import { type Kept, useKeeping } from "./kept";
import { useSave } from "./save";

export interface EditorProps {
  /** The existing challenge; null for a new one. */
  present: ListedChallenge | null;
  /** Source of the challenge, or of the challenge being copied. */
  source: Source | null;
  readSource: () => Promise<Source | undefined>;
  all: readonly ListedChallenge[];
}

/** Name of the draft. A new challenge has one per challenge that it is copied from. */
export function draftName({ present, source }: Pick<EditorProps, "present" | "source">): string {
  const of = present ? [present.id] : ["", source?.challenge ?? ""];
  return `edit ${JSON.stringify(of)}`;
}

function nowOf({ present, source, all }: EditorProps, copyOf: (name: string) => string): Typed {
  if (!source) return { ...EMPTY, id: "" };
  const form = formOf(source.fields ?? {}, source.files, all);
  return { ...form, name: present ? form.name : copyOf(form.name), id: "" };
}

type Name = Extract<keyof Typed, string>;

/** Names of the parts that differ between two forms. */
function differing(before: Typed, now: Typed): readonly Name[] {
  const said = (value: unknown) => {
    return JSON.stringify(value, (key, one: unknown) => (key === "raw" ? undefined : one));
  };
  const names: Name[] = [];
  for (const name in now) {
    const known = name as Name;
    if (said(before[known]) !== said(now[known])) names.push(known);
  }
  return names;
}

/** Parts that a colleague changed while the editor was open, until the note is dismissed. */
function useTheirs(base: Typed, source: Source | null, both: readonly Name[]) {
  const me = useMe().name;
  const [seen, setSeen] = useState(base);
  const names = differing(seen, base);
  const isOwn = source?.changedBy === me;
  // Own changes, such as a save, need no note.
  if (names.length > 0 && isOwn) setSeen(base);
  return {
    names: isOwn ? [] : names.filter((name) => !both.includes(name)),
    see: setSeen,
    dismiss: () => setSeen(base),
  };
}

function useWarning(both: readonly string[], source: Source | null): string | null {
  const { editor: words } = useOrganizeMessages().pages;
  if (both.length === 0) return null;
  const parts = both.map((part) => wordFor(words.labels, part)).join(", ");
  return words.bothHere(source?.changedBy ?? words.someone, parts);
}

/** Rejudge that is due after a change of the flags; none without submissions to judge again. */
function useRejudge(present: ListedChallenge | null, isFlagChanged: boolean): Order["followUp"] {
  const { editor: words } = useOrganizeMessages().pages;
  const may = useMayWith(present?.id);
  if (!present || !isFlagChanged || !may("challenge.rejudge")) return undefined;
  const { id: challenge, challengeName: object, tries, solves } = present;
  if ((tries ?? 0) + solves === 0) return undefined;
  const order = { action: "challenge.rejudge", fixed: { challenge }, object } as const;
  return { order, reason: words.flagsChanged };
}

export function useEditor(props: EditorProps, kept: Kept) {
  const { present, source, readSource, all } = props;
  const { editor: words } = useOrganizeMessages().pages;
  const from = present ? undefined : source?.challenge;
  const name = draftName(props);
  const draft = useDraft("organize", name, nowOf(props, words.copyOf));
  const sending = useSending(draft);
  const { values: form } = draft;
  const before = source?.fields ?? {};
  const id = present?.id ?? (form.id || idFor(form.name));
  // A copy starts with a different name, which does not count as a change.
  const typed = changedFields(form, draft.base, before);
  const isChanged = form.id !== "" || Object.keys(typed).length > 0;
  const copied = () => changedFields(form, formOf(before, source?.files ?? [], all), before);
  const fields = present ? typed : source ? copied() : newFields(form);
  const warning = useWarning(draft.both, source);
  const followUp = useRejudge(present, "flags" in typed);
  const theirs = useTheirs(draft.base, source, draft.both);
  const order: Order = {
    ...(present
      ? { action: "challenge.edit", fixed: { challenge: id, fields }, followUp }
      : { action: "challenge.create", fixed: { challenge: id, fields, from } }),
    object: present?.challengeName ?? form.name,
    onDone() {
      dropKept(name);
      theirs.see(form);
      if (present) return draft.saved();
      draft.discard();
      go(editAddress(id), { replace: true });
    },
    basedOn: source
      ? { version: source.text, read: async () => (await readSource())?.text ?? "", warning }
      : undefined,
  };
  const change: Change = { fields, isNew: !present, from };
  // Uploads in progress would be missing from the saved file.
  const canSave = !sending.isSending && (present ? isChanged : id !== "");
  // Server-side preview of the draft, repeated when the file changes too.
  const looked = useTypedPreview({
    name: "editor",
    typed: { id, change, version: source?.text ?? "" },
    read: ({ id, change }) => postPreview(id, change),
    isOn: ({ id }) => id !== "",
  });
  const problems = looked.data?.problems ?? [];
  const save = useSave({ order, looked, problems, canSave, warning });
  const version = JSON.stringify(form);
  useKeeping({ name, kept, isTyped: draft.changed.length > 0, version });
  // A draft survives its tab; an upload does not.
  useLeaving(sending.isSending);
  // The restored draft is no longer the one of the note.
  const { restoredAt, dismiss } = kept;
  useEffect(() => {
    if (restoredAt !== null && !isChanged) dismiss();
  });
  return {
    draft,
    sending,
    id,
    isChanged,
    warning,
    looked,
    /** Problems in the latest text checked by the server. */
    problems,
    save,
    theirs,
    /** Name of the colleague who changed the file last. */
    changedBy: source?.changedBy ?? words.someone,
    nameOf: (one: string) => all.find(({ id }) => id === one)?.challengeName ?? one,
    discard() {
      sending.dropAll();
      draft.discard();
      dropKept(name);
    },
  };
}

export type Editing = ReturnType<typeof useEditor>;
