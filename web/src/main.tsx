/**
 * The entry: the sheets every page needs, then the site. The event's info and the page's own chunk
 * are on their way before anything is drawn, so that what is drawn first is the page.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient, prefetchCtf } from "./api/queries";
import { firstLanguage } from "./messages/language";
import { createSiteRouter } from "./routes";
import { Site } from "./site";
import "./ui/tokens.css";
import "./ui/base.css";

/** How long an empty page may wait for its chunk before it says that it loads. */
const EMPTY_MS_MAX = 1000;

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element #root");
const cache = createQueryClient();
const router = createSiteRouter();
prefetchCtf(cache);
const late = new Promise((resolve) => setTimeout(resolve, EMPTY_MS_MAX));
const page = Promise.race([router.load(), late]);
// Not awaited at the top level: the page's chunk would wait for this one, and this one for it.
void Promise.all([firstLanguage(), page]).then(([spoken]) =>
  createRoot(root).render(
    <StrictMode>
      <Site spoken={spoken} cache={cache} router={router} />
    </StrictMode>,
  ),
);
