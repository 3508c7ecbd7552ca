/**
 * The challenges of the logged-in team. In a large window, the page is a workbench: filters and a
 * scoreboard snapshot, the list, and the open challenge, side by side. On a narrow screen, filters
 * and snapshot are collapsed, so that the challenges come first.
 */
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from "react";
import { loginAddress } from "../../addresses";
import type { Challenge } from "../../api/calls";
import { useFreeze, useStatus } from "../../api/clock";
import { useChallenges, useIsServerDown, useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import type { Board } from "../../domain/board";
import {
  deriveChallenges,
  distinctCategories,
  ownRow,
  withoutHidden,
} from "../../domain/challenges";
import { useMessages } from "../../messages/language";
import { Redirect, useAddress } from "../../navigate";
import { LiveNote } from "../../ui/live-note/live-note";
import { Loading } from "../../ui/loading/loading";
import { useNotify } from "../../ui/notification/notification";
import { StatusBanner } from "../../ui/status-banner/status-banner";
import { Before } from "./before";
import { CardList, sectionsFor, useAccepted } from "./card-list";
import { CategoryFilter } from "./category-filter";
import styles from "./challenges.module.css";
import { Finder } from "./finder";
import { LabelFilter } from "./label-filter";
import { useListKeys } from "./list-keys";
import { useRefetchWhenOutdated } from "./refetch";
import { Snapshot } from "./snapshot";
import { Start } from "./start";
import { focusFlag, useViewState } from "./view-state";
import { type Layout, useLayout } from "./workbench";

// The organizers' preview is made of these parts, and comes with this chunk.
export { Points, Solves, Tags } from "./facts";
export { Foot, Text, Things } from "./task";

/** The challenges merged with the board's data, and their names by ID. */
function useDerived(challenges: Challenge[], board: Board | null, team: string) {
  const own = useMemo(() => ownRow(board, team), [board, team]);
  const derived = useMemo(() => deriveChallenges(challenges, board, own), [challenges, board, own]);
  const names = useMemo(
    () => new Map(challenges.map(({ id, challengeName }) => [id, challengeName])),
    [challenges],
  );
  useRefetchWhenOutdated(challenges, board, own);
  return { derived, names };
}

interface ChallengeListProps {
  challenges: Challenge[];
  team: string;
  layout: Layout;
}

function ChallengeList({ challenges, team, layout }: ChallengeListProps) {
  const { board } = useLive();
  const isColumn = layout === "column";
  const state = useViewState(!isColumn);
  const { view, change, toggleOpen, toggleHidden, addressInstead } = state;
  const { derived, names } = useDerived(challenges, board, team);
  const moment = useAccepted();
  const list = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const visible = withoutHidden(derived, new Set(view.hide));
  const sections = sectionsFor(visible, view, moment.accepted);
  const open = view.open.flatMap((id) => visible.filter((one) => one.id === id));
  const shown = isColumn ? open : open.slice(-1);
  const shownIds = shown.map(({ id }) => id);
  useListKeys({ list, search, shown: shownIds.at(-1) });
  function openFirst() {
    const first = sections[0]?.challenges[0];
    if (!first) return;
    if (shownIds.includes(first.id)) focusFlag(first.id);
    else toggleOpen(first.id, shownIds);
  }
  const snapshot = (
    <aside className={styles.side}>
      <Snapshot board={board} team={team} />
    </aside>
  );
  return (
    <>
      <div className={styles.filters}>
        <Finder wish={view} onWish={change} searchRef={search} onEnter={openFirst}>
          <LabelFilter challenges={challenges} view={view} onChange={change} />
          <CategoryFilter
            categories={distinctCategories(challenges)}
            hidden={view.hide}
            onToggle={toggleHidden}
            onHide={(hide) => change({ hide })}
          />
        </Finder>
      </div>
      {!isColumn && snapshot}
      <CardList
        {...{ challenges: derived, sections, shown, names, board, team, layout }}
        state={state}
        moment={moment}
        list={list}
      />
      {isColumn && snapshot}
      {!isColumn && shown.length === 0 && (
        <div className={styles.task}>
          <Start
            challenges={visible}
            board={board}
            team={team}
            isWide={layout === "wide"}
            addressOf={(other) => addressInstead("", other)}
          />
        </div>
      )}
    </>
  );
}

interface FrameProps {
  title: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

function Frame({ title, children }: FrameProps) {
  const messages = useMessages();
  const live = useLive();
  const isDown = useIsServerDown();
  const hasEnded = useStatus() === "ended";
  const isCalm = !isDown && (live.online || live.updatedAtMs === null);
  return (
    <div className={styles.page} data-wide>
      <div className={styles.layout}>
        <header className={styles.header} data-calm={isCalm || undefined}>
          <h1 ref={title}>{messages.challenges.title}</h1>
          <a href="/news" className={styles.ask}>
            {messages.questions.title}
          </a>
          {(!hasEnded || !live.online) && <LiveNote {...live} isDown={isDown} />}
        </header>
        {children}
      </div>
    </div>
  );
}

export default function ChallengePage() {
  const messages = useMessages();
  const { team, known } = useSession();
  const status = useStatus();
  const freeze = useFreeze();
  const { data, error, refetch } = useChallenges(team !== null);
  const { notify } = useNotify();
  const { path, search } = useAddress();
  const title = useRef<HTMLHeadingElement>(null);
  const layout = useLayout(title);
  useEffect(() => {
    if (error) notify("error", error);
  }, [error, notify]);
  if (known && team === null) return <Redirect to={loginAddress(path + search)} />;
  const isBefore = status === "not_started" && data?.length === 0;
  return (
    <>
      <StatusBanner text={messages.statusBanner[status]} freeze={freeze} />
      <Frame title={title}>
        {isBefore && <Before />}
        {data && team !== null && !isBefore && (
          <ChallengeList key={team} challenges={data} team={team} layout={layout} />
        )}
        {!data && !error && (
          <div className={styles.list}>
            <Loading label={messages.loading.challenges} />
          </div>
        )}
        {!data && error && (
          <button type="button" className={styles.retry} onClick={() => void refetch()}>
            {messages.problem.retry}
          </button>
        )}
      </Frame>
    </>
  );
}
