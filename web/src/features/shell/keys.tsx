/** The keys of the site, and the sheet of them, which is loaded when it is opened. */
import { Suspense } from "react";
import { useMessages } from "../../messages/language";
import { go } from "../../navigate";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { useKeys } from "../../ui/keys/keys";
import { Loading } from "../../ui/loading/loading";

/** The pages that one letter opens. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ["h", "/"],
  ["s", "/scoreboard"],
  ["c", "/challenge"],
  ["r", "/rules"],
]);

const Sheet = chunkPart<{ onClose: () => void }>("keys", () => import("./keys-sheet"));

export function Keys({ isOpen, onOpen }: { isOpen: boolean; onOpen: (isOpen: boolean) => void }) {
  const { loading } = useMessages();
  useKeys((key) => {
    const page = PAGES.get(key);
    if (page !== undefined) go(page);
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
