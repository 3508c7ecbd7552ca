/** Preview of the challenge with the players' own components, from the server's rendering. */
import { type MouseEvent, Suspense, useMemo, useState } from "react";
import type { Challenge } from "../../../api/calls";
import type { ListedChallenge } from "../../../api/organize-lists";
import type { PreviewCard } from "../../../api/organize-sources";
import type { Derived } from "../../../domain/challenges";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { PlayerTask } from "../../../player-task";
import { Loading } from "../../../ui/loading/loading";
import type { Editing } from "./draft/use-editor";
import styles from "./preview.module.css";

/** Statuses that players see. */
const STATUSES: Readonly<Record<string, Challenge["status"]>> = {
  broken: "broken",
  fixed: "fixed",
};

/** Stands for the pass of the reading team. */
const withSamplePass = (text: string) => text.replaceAll("{{team_pass}}", "fp1.HANDLE.SIGNATURE");

/** The challenge as the players' pages receive it, before its first solve. */
function challengeOf(
  id: string,
  card: PreviewCard,
  present: ListedChallenge | null,
): Derived<Challenge> {
  const { challengeName, categories, value, requirements } = card;
  const description = withSamplePass(card.description);
  return {
    ...{ id, challengeName, categories, description, requirements },
    hints: card.hints.map((hint) => ({ ...hint, taken: false })),
    connection: card.connection ? withSamplePass(card.connection) : null,
    attachments: card.attachments.map(({ name, bytes, digest }) => {
      return { name, bytes, sha256: digest, link: `#${digest}` };
    }),
    flagFormat: card.flagFormat ?? null,
    ...(card.neededFlags ? { progress: { found: 0, of: card.neededFlags } } : {}),
    ...(card.attempts ? { attemptsLeft: card.attempts } : {}),
    ...(card.difficulty ? { difficulty: card.difficulty } : {}),
    ...(card.author ? { author: card.author } : {}),
    ...(card.attribution ? { attribution: card.attribution } : {}),
    tags: card.tags,
    // The card has the value before the first solve, whatever the curve.
    ...{ challengeType: "static", maxValue: value, minValue: value, speedrunValues: [] },
    status: STATUSES[present?.status ?? ""] ?? "works",
    statusNote: present?.statusNote ?? "",
    ...{ nsolves: 0, fbTs: 0, locked: false },
    ...{ solved: false, isPractice: false, sealed: false, solved_pos: null, solved_ts: null },
  };
}

/** Files of a preview have no address, because a player's address belongs to a team. */
function ignoreDownload(event: MouseEvent) {
  if (event.target instanceof Element && event.target.closest("a[download]")) {
    event.preventDefault();
  }
}

interface PreviewProps {
  editing: Editing;
  present: ListedChallenge | null;
  all: readonly ListedChallenge[];
}

export function Preview({ editing, present, all }: PreviewProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { loading, challenges } = useMessages();
  const { id, looked } = editing;
  // With errors, there is no new card, so the last one stays.
  const found = looked.data?.card;
  const [last, setLast] = useState(found);
  if (found && found !== last) setLast(found);
  const card = found ?? last;
  const challenge = useMemo(() => card && challengeOf(id, card, present), [id, card, present]);
  const names = useMemo(() => new Map(all.map((one) => [one.id, one.challengeName])), [all]);
  const isFaulty = looked.data !== undefined && !found;
  const why = isFaulty ? words.previewErrors : words.previewNothing;
  if (!challenge) return <p className={styles.nothing}>{why}</p>;
  const { requirements } = challenge;
  const wanted = requirements.map((one) => names.get(one) ?? one).join(", ");
  return (
    <>
      {isFaulty && <p className={styles.stale}>{why}</p>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside take the keys. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click. */}
      <div onClick={ignoreDownload}>
        <article className={styles.card} data-stale={isFaulty}>
          <h3 dir="auto">{challenge.challengeName}</h3>
          {requirements.length > 0 && (
            <p className={styles.note}>{challenges.solveFirst(wanted)}</p>
          )}
          <Suspense fallback={<Loading label={loading.page} />}>
            <PlayerTask challenge={challenge} names={names} />
          </Suspense>
        </article>
      </div>
      <p className={styles.note}>{words.previewNote}</p>
    </>
  );
}
