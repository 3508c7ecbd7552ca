/** All notices, and the team's questions. News shown here is marked as read. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { challengeAddress } from "../../addresses";
import { useLive, useNotices, useQuestions } from "../../api/queries";
import { useSession } from "../../api/session";
import type { Notice as NoticeData } from "../../domain/live";
import { answerKey, newsKeys, noticeKey, type Question } from "../../domain/news";
import { useMessages } from "../../messages/language";
import { isSettled, Pending } from "../../ui/loading/loading";
import { Notice } from "../../ui/notice/notice";
import { see, useSeen } from "../../ui/seen/seen";
import styles from "./news.module.css";
import { Questions } from "./questions";

function subscribeVisible(onChange: () => void): () => void {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

/** Marks the shown news as read; returns the keys read before this visit. */
function useMarkAsRead(notices: readonly NoticeData[], questions: readonly Question[]) {
  const isVisible = useSyncExternalStore(
    subscribeVisible,
    () => document.visibilityState === "visible",
  );
  const seen = useSeen();
  const [before] = useState(seen);
  useEffect(() => {
    if (isVisible) see(newsKeys(notices, questions));
  }, [isVisible, notices, questions]);
  return before;
}

const NONE: never[] = [];

/** No notices yet: a pennant furled at its mast. */
function Empty() {
  const { news: words } = useMessages();
  return (
    <div className={styles.none}>
      <svg viewBox="0 0 64 96" width="64" height="96" aria-hidden="true" focusable="false">
        <path d="M22 8v84M10 92h24" className={styles.mast} />
        <circle cx="22" cy="6" r="4" className={styles.ball} />
        <path
          d="M23.5 16c7 5 15 4 20 10 3 4-1 7 0 13s3 9 1 16-2 10-6 16
            c-2-6-6-8-7-15s-5-8-6-16-2-15-2-24z"
          className={styles.cloth}
        />
        <path d="M27 23c5 8 4 16 8 24s3 12 3 18M32 25c5 5 5 10 7 16" className={styles.fold} />
      </svg>
      <p>{words.none}</p>
    </div>
  );
}

export default function NewsPage() {
  const { news: words } = useMessages();
  const { team } = useSession();
  const { board } = useLive();
  const told = useNotices(true);
  const notices = told.data;
  const own = useQuestions(team !== null);
  const questions = (team !== null && own.data) || NONE;
  const before = useMarkAsRead(notices ?? NONE, questions);
  const names = useMemo(
    () => new Map(board?.challenges.map(({ id, challengeName }) => [id, challengeName])),
    [board],
  );
  function aboutOf({ challengeId }: NoticeData) {
    if (challengeId === null) return undefined;
    const name = names.get(challengeId) ?? challengeId;
    return { name, href: challengeAddress({ open: [challengeId] }) };
  }
  return (
    <div className={styles.page}>
      <h1>{words.title}</h1>
      <section aria-labelledby="notices" className={styles.section}>
        <h2 id="notices" className="visually-hidden">
          {words.notices}
        </h2>
        {notices?.length === 0 && <Empty />}
        {notices?.map((notice) => (
          <Notice
            key={notice.id}
            notice={notice}
            about={aboutOf(notice)}
            isNew={!before.has(noticeKey(notice))}
          />
        ))}
        <Pending query={told} label={words.loading} shape="list" />
      </section>
      {isSettled(told) && (
        <Questions
          hasTeam={team !== null}
          questions={own}
          nameOf={(id) => names.get(id) ?? id}
          isNew={(question) => !before.has(answerKey(question))}
        />
      )}
    </div>
  );
}
