/** Notices, scheduled ones first, and the open one beside them. */
import { type ReactNode, useMemo } from "react";
import type { Notice } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Html, textOf } from "../../../ui/html/html";
import { useMedia } from "../../../ui/motion/motion";
import type { Action } from "../change/action-buttons";
import { useOpenAction } from "../change/action-dialog";
import { Ago } from "../filters/ago";
import { LooksBadge, useViewers } from "../frame/channel";
import { Empty } from "../frame/empty";
import { ListPage, ListState, Panel } from "../frame/list";
import { Moment } from "../frame/moment";
import { useChallengeNames, useMay, useNotices } from "../frame/queries";
import { RowMenu } from "../frame/row-menu";
import { Status } from "../frame/status";
import { ChallengeLink, useView, ViewLink } from "../frame/view";
import styles from "./messages.module.css";

const objectOf = ({ id }: Notice) => `notice ${id}`;

function noticeActions({ id, title, withdrawn }: Notice): readonly Action[] {
  if (withdrawn) return [];
  const fixed = { notice: id };
  return [
    { action: "notice.correct", fixed, object: title, initial: { title } },
    { action: "notice.withdraw", fixed, object: title },
  ];
}

function States({ notice }: { notice: Notice }) {
  const { messages: words } = useOrganizeMessages().pages;
  const { urgent, urgentUntil, waits, withdrawn } = notice;
  if (withdrawn) return <Status mark="hollow">{words.withdrawn}</Status>;
  return (
    <>
      {waits && <Status mark="wait">{words.waits}</Status>}
      {urgent && (
        <Status mark="warn">
          {words.urgent}
          {urgentUntil && (
            <>
              {" "}
              {words.until} <Moment ms={urgentUntil} />
            </>
          )}
        </Status>
      )}
    </>
  );
}

function NoticeRow({ notice, isOpen }: { notice: Notice; isOpen: boolean }) {
  const names = useChallengeNames();
  const viewers = useViewers();
  const { id, title, html, challengeId, at, withdrawn } = notice;
  const text = useMemo(() => textOf(html), [html]);
  return (
    <li data-withdrawn={withdrawn || undefined}>
      <ViewLink data-row changes={{ notice: id.toString() }} aria-current={isOpen}>
        <span className={styles.top}>
          <bdi className={styles.team}>{title}</bdi> <Ago ms={at} />
        </span>
        <span className={styles.excerpt}>{text}</span>
        <span className={styles.bottom}>
          <States notice={notice} />
          {challengeId && <bdi>{names[challengeId] ?? challengeId}</bdi>}
          <LooksBadge names={viewers(objectOf(notice))} />
        </span>
      </ViewLink>
    </li>
  );
}

interface OpenNoticeProps {
  notice: Notice;
  /** False if it is open because it is the first of the list. */
  isChosen: boolean;
}

function OpenNotice({ notice, isChosen }: OpenNoticeProps) {
  const { messages: words, list, sheet } = useOrganizeMessages().pages;
  const names = useChallengeNames();
  const ask = useOpenAction();
  const may = useMay();
  const { title, html, challengeId, at, correctedAt } = notice;
  const [first, ...more] = noticeActions(notice).filter(({ action }) => may(action));
  const items = more.map((order) => ({
    text: wordFor(sheet.actions, order.action),
    isDanger: order.action === "notice.withdraw",
    onPress: () => ask(order),
  }));
  return (
    <Panel
      title={title}
      names={["notice"]}
      object={isChosen ? objectOf(notice) : undefined}
      isFixed
      action={
        first && (
          <button type="button" onClick={() => ask(first)}>
            {wordFor(sheet.actions, first.action)}
          </button>
        )
      }
      menu={<RowMenu label={list.actions(title)} items={items} />}
    >
      <p className={styles.meta}>
        <States notice={notice} />
        <Moment ms={at} />
        {correctedAt && (
          <span>
            {words.corrected} <Moment ms={correctedAt} />
          </span>
        )}
        {challengeId && <ChallengeLink id={challengeId} name={names[challengeId] ?? challengeId} />}
      </p>
      <Html html={html} className={styles.notice} />
    </Panel>
  );
}

/** The tab; `tabs` and `action` are those of the page's head. */
export function Notices({ tabs, action }: { tabs: ReactNode; action: ReactNode }) {
  const { messages: words } = useOrganizeMessages().pages;
  const notices = useNotices();
  const asked = useView()("notice");
  // Beside the list, a notice is always open.
  const isWide = useMedia("(width >= 64rem)");
  const chosen = notices.data?.find(({ id }) => id.toString() === asked);
  const open = chosen ?? (isWide ? notices.data?.[0] : undefined);
  return (
    <ListPage
      title={words.title}
      tabs={tabs}
      action={action}
      isInbox
      panel={open && <OpenNotice key={open.id} notice={open} isChosen={chosen !== undefined} />}
    >
      <h2 className="visually-hidden">{words.notices}</h2>
      <ListState of={notices}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={words.noNotices} note={words.noNoticesNote} />
          ) : (
            <ul className={styles.inbox}>
              {all.map((notice) => (
                <NoticeRow key={notice.id} notice={notice} isOpen={notice.id === open?.id} />
              ))}
            </ul>
          )
        }
      </ListState>
    </ListPage>
  );
}
