/** Head of the editor: the name, the state, who else is here, and the actions of the challenge. */
import type { ReactNode } from "react";
import type { ListedChallenge } from "../../../../api/organize-lists";
import type { Source } from "../../../../api/organize-sources";
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import { ChevronIcon } from "../../../../ui/icons/icons";
import { actionsOf } from "../../challenges/actions";
import type { Action } from "../../change/action-buttons";
import { useActionDialog } from "../../change/action-dialog";
import { useShareViewing, Viewers } from "../../frame/channel";
import { useShortcut } from "../../frame/keys";
import { Moment } from "../../frame/moment";
import { useMay } from "../../frame/queries";
import { RowMenu } from "../../frame/row-menu";
import { type Mark, Status } from "../../frame/status";
import { PageLink } from "../../frame/view";
import styles from "./layout.module.css";

const STATES: Readonly<Record<string, Mark>> = {
  shown: "good",
  from_start: "wait",
  waits: "lock",
  timed: "wait",
  hidden: "hollow",
};

/** Status that players see as a note on the card. */
const STATUSES: Readonly<Record<string, Mark>> = { broken: "bad", fixed: "good" };

/** Actions that take something from players. */
const DANGERS: ReadonlySet<string> = new Set([
  "challenge.hide",
  "challenge.close",
  "solve.withdraw",
]);

function Shortcut({ action, text, run }: { action: Action; text: string; run: () => void }) {
  useShortcut(action.key ?? text, text, action.key ? run : undefined);
  return null;
}

/** All actions in a menu, and the next step also as a button. */
function Actions({ present }: { present: ListedChallenge }) {
  const { sheet, list } = useOrganizeMessages().pages;
  const may = useMay();
  const { ask } = useActionDialog();
  const actions = actionsOf(present).filter(({ action }) => may(action));
  const items = actions.map((one) => {
    const { key: shortcut, ...order } = one;
    const text = wordFor(sheet.actions, order.action);
    return { one, text, shortcut, isDanger: DANGERS.has(order.action), onPress: () => ask(order) };
  });
  const release = items.find(({ one }) => one.action === "challenge.release");
  return (
    <>
      {items.map(({ one, text, onPress }) => (
        <Shortcut key={one.action} action={one} text={text} run={onPress} />
      ))}
      {release && (
        <button
          type="button"
          className={styles.release}
          aria-keyshortcuts={release.shortcut}
          onClick={release.onPress}
        >
          {release.text}
        </button>
      )}
      <RowMenu
        label={list.actions(present.challengeName)}
        items={items.map(({ text, shortcut, isDanger, onPress }) => {
          return { text, shortcut, isDanger, onPress };
        })}
      />
    </>
  );
}

function State({ present, source }: { present: ListedChallenge; source: Source | null }) {
  const { challenges, statuses } = useOrganizeMessages().pages;
  const { state, status } = present;
  const mark = STATUSES[status];
  return (
    <div className={styles.state}>
      <Status mark={STATES[state] ?? "quiet"}>{wordFor(challenges.states, state)}</Status>
      {mark && <Status mark={mark}>{wordFor(statuses, status)}</Status>}
      {source?.changedBy && (
        <span className={styles.changed}>
          {challenges.changed}: <bdi>{source.changedBy}</bdi>, <Moment ms={source.changedAt} />
        </span>
      )}
    </div>
  );
}

interface HeadProps {
  present: ListedChallenge | null;
  source: Source | null;
  isChanged: boolean;
  /** Switch between form and preview, on narrow pages. */
  modes: ReactNode;
}

export function Head({ present, source, isChanged, modes }: HeadProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const object = present ? `challenge ${present.id}` : undefined;
  useShareViewing(object);
  return (
    <header className={styles.head}>
      <PageLink
        to="/organize/challenges"
        query={{ open: present?.id }}
        className={styles.back}
        aria-label={words.back}
        title={words.back}
      >
        <ChevronIcon />
      </PageLink>
      <h1>
        {present ? (
          <>
            <span className="visually-hidden">{words.edit} </span>
            <bdi>{present.challengeName}</bdi>
          </>
        ) : (
          words.newTitle
        )}
        {isChanged && <span className={styles.edited} title={words.unsavedHere} />}
      </h1>
      {present && <State present={present} source={source} />}
      {object && <Viewers object={object} />}
      <div className={styles.tools}>
        {modes}
        {present && <Actions present={present} />}
      </div>
    </header>
  );
}
