/** The name of the news page in the navigation, with a dot for unread news. */
import { useCtf, useNotices, useQuestions } from "../../api/queries";
import { newsKeys } from "../../domain/news";
import { useMessages } from "../../messages/language";
import { useAddress } from "../../navigate";
import { useSeen } from "../../ui/seen/seen";
import styles from "./navigation.module.css";

/** True if there are notices or questions, or the news page is shown. */
export function useHasNews(): boolean {
  const { path } = useAddress();
  const notices = useCtf().data?.info.notices ?? 0;
  const { data: questions = [] } = useQuestions(false);
  return notices > 0 || questions.length > 0 || path === "/news";
}

/** The name with its dot. Reads only the cache, which `notice-banner.tsx` fills. */
export function NewsName() {
  const { news: words } = useMessages();
  const { data: notices = [] } = useNotices(false);
  const { data: questions = [] } = useQuestions(false);
  const seen = useSeen();
  const unread = newsKeys(notices, questions).filter((key) => !seen.has(key)).length;
  return (
    <span className={styles.news} data-unread={unread > 0}>
      {words.title}
      {unread > 0 && <span className="visually-hidden"> {words.unread(unread)}</span>}
    </span>
  );
}
