/** Branding of the event: colors, images, links and pages. */
import type { CtfInfo } from "./calls";
import { useCtf } from "./queries";

export type SiteInfo = CtfInfo["site"];

/** Branding that the server embedded in the page. */
function written(): SiteInfo | null {
  const text = document.querySelector<HTMLMetaElement>('meta[name="site"]')?.content;
  try {
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Branding from the API, else the embedded one; null if neither exists. */
export function useSite(): SiteInfo | null {
  const info = useCtf().data?.info;
  return info?.site ?? WRITTEN;
}

const WRITTEN = written();
