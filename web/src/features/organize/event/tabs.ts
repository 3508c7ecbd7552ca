/** The tabs of the page Event, and who sees them. */
import { useMay } from "../frame/reading";

const TABS = ["times", "settings", "texts", "brand", "results", "files", "people"] as const;
export type TabName = (typeof TABS)[number];

/** What a role needs to see a tab; the others are everyone's. */
const NEEDS: Readonly<Partial<Record<TabName, string>>> = {
  settings: "settings.read",
  texts: "settings.read",
  brand: "settings.read",
  files: "challenge.read",
  people: "organizer.list",
};

/** Those of the own roles. */
export function useTabs(): readonly TabName[] {
  const may = useMay();
  return TABS.filter((tab) => may(NEEDS[tab] ?? "event.overview"));
}

/** The value of a tab in the address: the first one has none. */
export const tabParameter = (tab: TabName) => (tab === "times" ? undefined : tab);
