/** The dialog with a challenge's solvers; the address names the challenge. */
import type { Board } from "../../domain/board";
import { solversOf } from "../../domain/solvers";
import { useMessages } from "../../messages/language";
import { Dialog } from "../../ui/dialog/dialog";
import { SolverList } from "../../ui/solver-list/solver-list";

interface SolversProps {
  board: Board;
  challengeId: string;
  onClose: () => void;
}

export function Solvers({ board, challengeId, onClose }: SolversProps) {
  const { solvers: words } = useMessages();
  const challenge = board.challenges.find(({ id }) => id === challengeId);
  if (!challenge) return null;
  const title = words.of(challenge.challengeName);
  return (
    <Dialog title={title} onClose={onClose}>
      <SolverList solvers={solversOf(board, challengeId)} label={title} />
    </Dialog>
  );
}
