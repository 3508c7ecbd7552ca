/** The corner of the projector: the site's address as a QR code, and the latest solves. */
import { useMemo } from "react";
import type { Board } from "../../../domain/board";
import { type LatestSolve, latestSolves } from "../../../domain/highlights";
import { isolated } from "../../../domain/text";
import { useMessages } from "../../../messages/language";
import { FirstBloodIcon, SolvedIcon } from "../../../ui/icons/icons";
import { Pennant } from "../../../ui/pennant/pennant";
import { QrCode } from "../../../ui/qr-code/qr-code";
import styles from "./corner.module.css";

const SOLVES_MAX = 3;

function SiteCode() {
  const { stage: words } = useMessages();
  const { origin, host } = window.location;
  return (
    <div className={styles.site}>
      <QrCode text={`${origin}/`} label={words.address(`${origin}/`)} className={styles.code} />
      <bdi className={styles.host}>{host}</bdi>
    </div>
  );
}

function Solve({ teamName, challengeName, isFirst }: LatestSolve) {
  const { stage: words, board } = useMessages();
  const Icon = isFirst ? FirstBloodIcon : SolvedIcon;
  return (
    <li className={styles.solve} data-first={isFirst}>
      <Pennant name={teamName} size="small" />
      <span className="ellipsis">{words.solved(isolated(teamName), isolated(challengeName))}</span>
      <Icon className={styles.mark} />
      {isFirst && <span className="visually-hidden">{board.firstBlood}</span>}
    </li>
  );
}

export function Corner({ board }: { board: Board }) {
  const { stage: words } = useMessages();
  const solves = useMemo(() => latestSolves(board, SOLVES_MAX), [board]);
  return (
    <div className={styles.corner}>
      <SiteCode />
      {solves.length > 0 && (
        <ol aria-label={words.latest} className={`plain-list ${styles.solves}`}>
          {solves.map((solve) => (
            <Solve key={`${solve.challengeId} ${solve.teamName}`} {...solve} />
          ))}
        </ol>
      )}
    </div>
  );
}
