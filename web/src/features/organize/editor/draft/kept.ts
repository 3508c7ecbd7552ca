/** The draft of a closed tab, which the editor offers again. */
import { useEffect, useRef, useState } from "react";
import {
  dropKept,
  hasTabDraft,
  type KeptDraft,
  keepDraft,
  readKept,
  restoreKept,
} from "../../../../api/organize-drafts";
import { useMe } from "../../queries";

/** State of the kept draft when the editor opens. */
interface Found {
  /** Draft of another tab, to be restored or discarded. */
  readonly offered: KeptDraft | null;
  /** Time of the draft that the form begins with; null without one. */
  readonly restoredAt: number | null;
}

function look(name: string, by: string): Found {
  const kept = readKept(name, by);
  if (hasTabDraft(name)) return { offered: null, restoredAt: kept?.at ?? null };
  return { offered: kept, restoredAt: null };
}

/** Kept draft of an editor. A new `turn` remounts the form. */
export function useKept(name: string) {
  const by = useMe().name;
  const [found, setFound] = useState(() => look(name, by));
  const [turn, setTurn] = useState(0);
  const { offered } = found;
  return {
    ...found,
    by,
    turn,
    restore() {
      if (!offered) return;
      restoreKept(name, offered);
      setFound({ offered: null, restoredAt: offered.at });
      setTurn(turn + 1);
    },
    /** Discards the offered draft, or hides the note on the restored one. */
    dismiss() {
      if (offered) dropKept(name);
      setFound({ offered: null, restoredAt: null });
    },
  };
}

export type Kept = ReturnType<typeof useKept>;

interface Keeping {
  readonly name: string;
  readonly kept: Kept;
  /** True if the form has edits. */
  readonly isTyped: boolean;
  /** Text that changes with each edit. */
  readonly version: string;
}

/** Keeps each edit, unless another draft is still offered. */
export function useKeeping({ name, kept, isTyped, version }: Keeping): void {
  const { by, offered } = kept;
  const wasTyped = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version is kept.
  useEffect(() => {
    if (isTyped && !offered) keepDraft(name, by);
    else if (wasTyped.current && !offered) dropKept(name);
    wasTyped.current = isTyped;
  }, [name, by, offered, isTyped, version]);
  useEffect(() => {
    if (!isTyped) return;
    // Without storage, or while another draft is offered, the edits end with the tab.
    const onLeave = (event: BeforeUnloadEvent) => {
      if (offered || !keepDraft(name, by)) event.preventDefault();
    };
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [name, by, offered, isTyped]);
}
