/** The extras of an open challenge: its solvers, and a button that copies its link. */
import { useState } from "react";
import { challengeAddress } from "../../addresses";
import type { Board } from "../../domain/board";
import { solversOf } from "../../domain/solvers";
import { useMessages } from "../../messages/language";
import { copyText } from "../../ui/copy/copy";
import { LinkIcon } from "../../ui/icons/icons";
import { useNotify } from "../../ui/notification/notification";
import { SolverList } from "../../ui/solver-list/solver-list";
import styles from "./task.module.css";

interface SolversProps {
  challenge: { id: string; challengeName: string; nsolves: number; sealed: boolean };
  board: Board | null;
  /** True to begin with the list unfolded. */
  isOpen: boolean;
}

export function Solvers({ challenge, board, isOpen }: SolversProps) {
  const { solvers: words } = useMessages();
  const [open, setOpen] = useState(isOpen);
  const { id, challengeName, nsolves, sealed } = challenge;
  return (
    <details
      className={styles.unfolds}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{words.title(nsolves + (sealed ? 1 : 0))}</summary>
      {open && board && (
        <SolverList solvers={solversOf(board, id)} label={words.of(challengeName)} />
      )}
    </details>
  );
}

/** The address of an open challenge, on this origin. */
export function challengeLink(id: string): string {
  return window.location.origin + challengeAddress({ open: [id] });
}

export function CopyLink({ id }: { id: string }) {
  const { challenges: words } = useMessages();
  const { notify } = useNotify();
  async function copy() {
    const address = challengeLink(id);
    if (await copyText(address)) notify("success", { message: words.linkCopied });
    // Show it for copying by hand.
    else notify("info", { message: address });
  }
  return (
    <button type="button" onClick={() => void copy()}>
      <LinkIcon />
      {words.copyLink}
    </button>
  );
}
