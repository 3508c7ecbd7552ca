/** The document title: page name and event name; only the event name on the home page. */
import { useEffect } from "react";
import { teamNameAt } from "../../addresses";
import { type SiteInfo, useSite } from "../../api/site";
import type { Messages } from "../../messages/en";
import { useMessages } from "../../messages/language";
import { type Address, useAddress } from "../../navigate";

/** The name of the page at an address; null for the home page. */
export function pageName(
  messages: Messages,
  { path, search }: Address,
  pages: SiteInfo["pages"] = [],
): string | null {
  const { navigation, account, own, news, problem } = messages;
  const [, first = "", second] = path.split("/");
  if (first === "") return null;
  if (first === "organize") return navigation.organizers;
  if (first === "pages") {
    return pages.find(({ slug }) => slug === second)?.title ?? problem.nothingHere;
  }
  if (first === "team") return teamNameAt(path, search) || problem.nothingHere;
  const names = new Map([
    ["scoreboard", navigation.scoreboard],
    ["challenge", navigation.challenges],
    ["rules", navigation.rules],
    ["news", news.title],
    ["login", navigation.login],
    ["signup", navigation.signup],
    ["confirm", account.confirmTitle],
    ["reset", account.resetTitle],
    ["stop", account.stopTitle],
    ["account", own.title],
    ["address", own.addressTitle],
  ]);
  return (second === undefined && names.get(first)) || problem.nothingHere;
}

export function usePageTitle(event: string): void {
  const name = pageName(useMessages(), useAddress(), useSite()?.pages);
  useEffect(() => {
    document.title = name === null ? event : `${name} · ${event}`;
  }, [name, event]);
}
