/** The bar of the organizer pages: the event, its clock, quick actions, palette and account. */
import { useEffect } from "react";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useAddress } from "../../../navigate";
import { useActionDialog } from "../change/action-dialog";
import { eventActions } from "../event/actions";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMay, useOverview } from "../frame/queries";
import { changeView, PageLink, useScoreboardView } from "../frame/view";
import { useFigureRecorder } from "../overview/history";
import { AccountMenu } from "./account-menu";
import styles from "./bar.module.css";
import { EventClock } from "./clock";
import { FrozenIcon, NoticeIcon, PauseIcon, ResumeIcon, SearchIcon } from "./icons";

/**
 * Switch between the unfrozen and the public view, shown when a freeze makes a difference. Roles
 * that cannot see the unfrozen view get a label only.
 */
function ScoreboardViewSwitch({ isFrozen }: { isFrozen: boolean }) {
  const { pages } = useOrganizeMessages();
  const { head } = pages;
  const isPublic = useScoreboardView() === "public";
  const seesTruth = useMay()("event.reveal");
  const change = () => changeView({ view: isPublic ? undefined : "public" });
  useShortcut("v", pages.keys.view, seesTruth ? change : undefined);
  const isTruth = seesTruth && !isPublic;
  if (!isFrozen && (isTruth || !seesTruth)) return null;
  const frozen = isTruth ? head.truth : head.shown;
  const text = isFrozen ? frozen : head.shownPlain;
  const content = (
    <>
      <FrozenIcon />
      <span>{text}</span>
    </>
  );
  if (!seesTruth) return <span className={styles.view}>{content}</span>;
  return (
    <button
      type="button"
      className={styles.view}
      data-public={!isTruth}
      title={`${text}. ${head.switchView}`}
      aria-keyshortcuts="v"
      onClick={change}
    >
      {content}
    </button>
  );
}

const ICONS = {
  "event.pause": PauseIcon,
  "event.resume": ResumeIcon,
  "notice.post": NoticeIcon,
} as const;

type QuickOrder = ReturnType<typeof eventActions>[number];

function QuickAction({ order: { key = "", ...order } }: { order: QuickOrder }) {
  const { pages } = useOrganizeMessages();
  const { ask, renew } = useActionDialog();
  const name = wordFor(pages.sheet.actions, order.action);
  const press = () => ask(order);
  // Keeps the open dialog up to date with the event.
  useEffect(() => renew(order));
  useShortcut(key, name, press);
  const Icon = ICONS[order.action as keyof typeof ICONS];
  return (
    <button
      type="button"
      className={styles.action}
      title={name}
      aria-keyshortcuts={key}
      onClick={press}
    >
      <Icon />
      <span>{name}</span>
      <KeyHint of={key} />
    </button>
  );
}

/** Page that has a separate button for a new notice. */
const NOTICES = "/organize/messages";

/** Pause or resume, and a notice, as far as the role may. */
function QuickActions({ overview }: { overview: Overview }) {
  const { sheet } = useOrganizeMessages().pages;
  const may = useMay();
  const isOfPage = useAddress().path === NOTICES;
  return eventActions(overview, sheet.notice)
    .filter(({ action }) => may(action) && !(isOfPage && action === "notice.post"))
    .map((order) => <QuickAction key={order.action} order={order} />);
}

interface BarProps {
  onKeys: () => void;
  onPalette: () => void;
}

export function Bar({ onKeys, onPalette }: BarProps) {
  const { pages, frame } = useOrganizeMessages();
  const { head, palette, names } = pages;
  const { data, error, dataUpdatedAt } = useOverview();
  useFigureRecorder(data);
  const name = data?.name || names.event;
  return (
    <section aria-label={head.label} className={styles.bar}>
      <PageLink to="/organize" className={styles.name} title={name}>
        <bdi className="ellipsis">{name}</bdi>
      </PageLink>
      <div className={styles.event}>
        {data && (
          <>
            <EventClock overview={data} readAt={dataUpdatedAt} />
            <ScoreboardViewSwitch isFrozen={data.isFrozen} />
          </>
        )}
      </div>
      <div className={styles.tools}>
        {data && <QuickActions overview={data} />}
        <button
          type="button"
          className={styles.find}
          title={palette.key}
          aria-label={palette.title}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={onPalette}
        >
          <SearchIcon />
          <span>{frame.find}</span>
          <KeyHint of="Ctrl K" />
        </button>
        <AccountMenu onKeys={onKeys} />
      </div>
      <div role="status" className={styles.stale}>
        {data && error ? head.stale : null}
      </div>
    </section>
  );
}
