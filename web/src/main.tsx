/** Entry point. Requests the event info and the page's code before the first render. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient, prefetchCtf } from "./api/queries";
import { initialLanguage } from "./messages/language";
import { currentAddress } from "./navigate";
import { preloadPage } from "./pages";
import { Site } from "./site";
import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";

/** Maximum delay of the first render for the language, the page chunk and the event info. */
const EMPTY_MS_MAX = 1000;

async function start(root: Element): Promise<void> {
  const cache = createQueryClient();
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, EMPTY_MS_MAX));
  const whole = Promise.all([prefetchCtf(cache), preloadPage(currentAddress())]);
  const loaded = await Promise.race([initialLanguage(), late]);
  await Promise.race([whole, late]);
  createRoot(root).render(
    <StrictMode>
      <Site language={loaded} cache={cache} />
    </StrictMode>,
  );
}

// The work is not awaited at the top level: the page chunk imports this module and would wait for
// it.
queueMicrotask(() => {
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no element #root");
  void start(root);
});
