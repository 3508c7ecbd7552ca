/** The site's keyboard shortcuts, and their list, which is loaded on demand. */
import { Suspense } from "react";
import { useSession } from "../../api/session";
import { useMessages } from "../../messages/language";
import { go } from "../../navigate";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { useKeys } from "../../ui/keys/keys";
import { Loading } from "../../ui/loading/loading";
import { useHasNews } from "./news-name";

interface GoKey {
  readonly key: string;
  readonly to: string;
  readonly name: string;
}

/** The shortcuts that open a page, as far as the page is offered. */
export function useGoKeys(): readonly GoKey[] {
  const { keys, navigation, news, own } = useMessages();
  const hasNews = useHasNews();
  const { team } = useSession();
  const all = [
    { key: "g h", to: "/", name: keys.home },
    { key: "g s", to: "/scoreboard", name: navigation.scoreboard },
    { key: "g c", to: "/challenge", name: navigation.challenges },
    { key: "g r", to: "/rules", name: navigation.rules },
    { key: "g n", to: "/news", name: news.title, isMissing: !hasNews },
    { key: "g a", to: "/account", name: own.title, isMissing: team === null },
  ];
  return all.filter(({ isMissing }) => !isMissing);
}

const Sheet = chunkPart<{ onClose: () => void }>("keys", () => import("./keys-sheet"));

export function Keys({ isOpen, onOpen }: { isOpen: boolean; onOpen: (isOpen: boolean) => void }) {
  const { loading } = useMessages();
  const pages = useGoKeys();
  useKeys((key) => {
    const page = pages.find((one) => one.key === key);
    if (page) go(page.to);
    if (key === "?") onOpen(true);
    return page !== undefined || key === "?";
  });
  if (!isOpen) return null;
  return (
    <Suspense fallback={<Loading label={loading.page} />}>
      <Sheet onClose={() => onOpen(false)} />
    </Suspense>
  );
}
