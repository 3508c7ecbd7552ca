/**
 * The entry: the sheets every page needs, then the site. The event's info and the page's own chunk
 * are on their way before anything is drawn, so that what is drawn first is the page.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient, prefetchCtf } from "./api/queries";
import { firstLanguage } from "./messages/language";
import { shownAddress } from "./navigate";
import { preloadPage } from "./pages";
import { Site } from "./site";
import "./ui/tokens.css";
import "./ui/base.css";

/** How long an empty page may wait for its words, chunk and event before it is drawn without. */
const EMPTY_MS_MAX = 1000;

async function start(root: Element): Promise<void> {
  const cache = createQueryClient();
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, EMPTY_MS_MAX));
  const whole = Promise.all([prefetchCtf(cache), preloadPage(shownAddress())]);
  const spoken = await Promise.race([firstLanguage(), late]);
  await Promise.race([whole, late]);
  createRoot(root).render(
    <StrictMode>
      <Site spoken={spoken} cache={cache} />
    </StrictMode>,
  );
}

// Not awaited in the script's own body: the page's chunk waits for this one.
queueMicrotask(() => {
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no element #root");
  void start(root);
});
