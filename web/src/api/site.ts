/** What the site shows of the event's house: its colours, pictures, links and pages. */
import type { CtfInfo } from "./calls";
import { useCtf } from "./queries";

export type SiteInfo = CtfInfo["site"];

/** What the server wrote into the page. */
function written(): SiteInfo | null {
  const text = document.querySelector<HTMLMetaElement>('meta[name="site"]')?.content;
  try {
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Before and without a response of the API it is what the page says; null if that says nothing. */
export function useSite(): SiteInfo | null {
  const info = useCtf().data?.info;
  return info?.site ?? WRITTEN;
}

const WRITTEN = written();
