/** Entry point. Before the first render it requests the event's info and the code of the page. */
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

/** How long the first render waits for the language, the page's chunk and the event's info. */
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

// Not awaited at the top level: the page's chunk imports this one and would wait for it.
queueMicrotask(() => {
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no element #root");
  void start(root);
});
