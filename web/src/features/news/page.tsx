/** All notices of the organizers, and for a team its questions. What is shown here was read. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { challengeAddress } from "../../addresses";
import { useLive, useNotices, useQuestions } from "../../api/queries";
import { useSession } from "../../api/session";
import type { Notice as Told } from "../../domain/live";
import { answerKey, newsKeys, noticeKey, type Question } from "../../domain/news";
import { useMessages } from "../../messages/language";
import { Pending } from "../../ui/loading/loading";
import { Notice } from "../../ui/notice/notice";
import { see, useSeen } from "../../ui/seen/seen";
import styles from "./news.module.css";
import { Questions } from "./questions";

function subscribeVisible(onChange: () => void): () => void {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

/** Marks as read what is shown; returns what had been read before this visit. */
function useReading(notices: readonly Told[], questions: readonly Question[]) {
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

export default function NewsPage() {
  const { news: words } = useMessages();
  const { team } = useSession();
  const { board } = useLive();
  const told = useNotices(true);
  const notices = told.data;
  const own = useQuestions(team !== null);
  const questions = (team !== null && own.data) || NONE;
  const before = useReading(notices ?? NONE, questions);
  const names = useMemo(
    () => new Map(board?.challenges.map(({ id, challengeName }) => [id, challengeName])),
    [board],
  );
  function aboutOf({ challengeId }: Told) {
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
        {notices?.length === 0 && <p className={styles.empty}>{words.none}</p>}
        {notices?.map((notice) => (
          <Notice
            key={notice.id}
            notice={notice}
            about={aboutOf(notice)}
            isNew={!before.has(noticeKey(notice))}
          />
        ))}
        <Pending query={told} label={words.loading} className={styles.fault} />
      </section>
      <Questions
        hasTeam={team !== null}
        questions={own}
        nameOf={(id) => names.get(id) ?? id}
        isNew={(question) => !before.has(answerKey(question))}
      />
    </div>
  );
}
