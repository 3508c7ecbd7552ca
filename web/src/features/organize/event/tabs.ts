/** Tabs of the Event page, and the permissions that they need. */
import { useMay } from "../frame/queries";

const TABS = [
  "times",
  "settings",
  "texts",
  "brand",
  "results",
  "files",
  "people",
  "commands",
] as const;
export type TabName = (typeof TABS)[number];

/** Permission needed to see a tab; other tabs are visible to everyone. */
const NEEDS: Readonly<Partial<Record<TabName, string>>> = {
  settings: "settings.read",
  texts: "settings.read",
  brand: "settings.read",
  files: "challenge.read",
  people: "organizer.list",
  commands: "settings.read",
};

/** Tabs visible to the organizer. */
export function useTabs(): readonly TabName[] {
  const may = useMay();
  return TABS.filter((tab) => may(NEEDS[tab] ?? "event.overview"));
}

/** URL parameter of a tab; undefined for the first one. */
export const tabParameter = (tab: TabName) => (tab === "times" ? undefined : tab);
