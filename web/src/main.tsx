/** The entry: the sheets every page needs, then the site. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/queries";
import { firstLanguage } from "./messages/language";
import { createSiteRouter } from "./routes";
import { Site } from "./site";
import "./ui/tokens.css";
import "./ui/base.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element #root");
const spoken = await firstLanguage();
createRoot(root).render(
  <StrictMode>
    <Site spoken={spoken} cache={createQueryClient()} router={createSiteRouter()} />
  </StrictMode>,
);
