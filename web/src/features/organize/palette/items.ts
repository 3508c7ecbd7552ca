/** Items of the command palette, and the order of the ones that match the input. */
import { folded } from "../../../domain/find";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { useOpenAction } from "../change/action-dialog";
import { eventActions, isRevealDue, revealAction } from "../event/actions";
import { tabParameter, useTabs } from "../event/tabs";
import { useSavedViews } from "../filters/saved-views";
import { viewsOf } from "../filters/views";
import { useChallenges, useMay, useOverview, useTeams } from "../frame/queries";
import { type Changes, pageAddress, useScoreboardView } from "../frame/view";
import { ACCOUNT, CEREMONY, MENU, type PageName, SETUP } from "../pages";
import { stepsFor } from "../setup/steps";
import { useSignOut } from "../sign-out";
import { useCommands } from "./commands";

export interface Item {
  readonly key: string;
  readonly text: string;
  /** ID that players do not see, which also finds the item. */
  readonly id?: string;
  /** Other words that find the item, such as "SMTP" for the email settings. */
  readonly words?: string;
  /** Page that the item belongs to. */
  readonly page: PageName;
  /** Name of the item's kind; empty for a page. */
  readonly kind: string;
  readonly shortcut?: string;
  /** Address that the item opens; only such items are remembered with their text. */
  readonly address?: string;
  run(): void;
}

const TEAMS_MAX = 8;
/** Ranks of matches: the start of the text, of a word, of the ID, of another word, or a part. */
const RANKS = { start: 0, word: 1, id: 2, other: 3, part: 4, none: 5 } as const;

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u);

/** Rank of an item for a folded query; lower is better. */
function rankOf({ text, id = "", words = "" }: Item, wanted: string): number {
  const name = folded(text);
  if (name.startsWith(wanted)) return RANKS.start;
  const starts = (word: string) => word.startsWith(wanted);
  if (wordsOf(name).some(starts)) return RANKS.word;
  if (folded(id).startsWith(wanted)) return RANKS.id;
  if (wordsOf(folded(words)).some(starts)) return RANKS.other;
  return name.includes(wanted) || folded(id).includes(wanted) ? RANKS.part : RANKS.none;
}

/** Matching items, best first; equally good ones stay in order. */
export function ranked(items: readonly Item[], query: string): readonly Item[] {
  const wanted = folded(query);
  return items
    .map((item) => ({ item, rank: rankOf(item, wanted) }))
    .filter(({ rank }) => rank < RANKS.none)
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

/** Returns the parts of an item that opens an address. */
function useTo() {
  const whose = useScoreboardView();
  return (path: string, query?: Changes) => {
    const address = pageAddress(path, whose, query);
    return { address, run: () => go(address) };
  };
}

function usePages(): readonly Item[] {
  const { pages, frame } = useOrganizeMessages();
  const { names } = pages;
  const { words } = frame.palette;
  const may = useMay();
  const to = useTo();
  const shown = MENU.filter(({ needs }) => may(needs)).map(({ name, path, key }) => ({
    key: path,
    text: names[name],
    words: wordFor(words, name),
    page: name,
    kind: "",
    shortcut: `g ${key}`,
    ...to(path),
  }));
  const account = { key: ACCOUNT, text: names.account, words: words.account, kind: "" };
  return [...shown, { ...account, page: "account", ...to(ACCOUNT) }];
}

/** Tabs and settings of the Event page. Organizers search for them by name. */
function useEventParts(): readonly Item[] {
  const { pages, setup, frame } = useOrganizeMessages();
  const { event, forms, names } = pages;
  const { words } = frame.palette;
  const may = useMay();
  const to = useTo();
  const tabs = useTabs();
  const page = "event";
  const shown = tabs.map((tab) => ({
    key: `tab ${tab}`,
    text: event.tabOf[tab],
    words: wordFor(words, tab),
    page,
    kind: names.event,
    ...to("/organize/event", { tab: tabParameter(tab) }),
  })) satisfies readonly Item[];
  const sections = Object.entries(forms.sections).map(([section, text]) => ({
    key: `section ${section}`,
    text,
    words: wordFor(words, section),
    page,
    kind: event.tabOf.settings,
    ...to("/organize/event", { tab: tabParameter("settings") }),
  })) satisfies readonly Item[];
  const steps = may("settings.read") ? stepsFor(may) : [];
  const setUp = steps.map((step) => ({
    key: `step ${step}`,
    text: setup[step].title,
    words: wordFor(words, step),
    page,
    kind: setup.title,
    ...to(SETUP, { step }),
  })) satisfies readonly Item[];
  return [...shown, ...(tabs.includes("settings") ? sections : []), ...setUp];
}

/** Named views of the lists, and those that the organizer saved. */
function useViewItems(): readonly Item[] {
  const { pages, filters } = useOrganizeMessages();
  const may = useMay();
  const to = useTo();
  const saved = useSavedViews();
  return MENU.filter(({ needs }) => may(needs)).flatMap(({ name: page, path }) => {
    const of = { page, kind: pages.names[page] };
    const named = viewsOf(path, may).map(({ name, query }) => ({
      key: `view ${name}`,
      text: filters.views.names[name],
      ...of,
      ...to(path, query),
    }));
    const own = saved
      .filter((one) => one.path === path)
      .map(({ name, search }) => ({
        key: `saved view ${path} ${name}`,
        text: name,
        ...of,
        ...to(path, Object.fromEntries(new URLSearchParams(search))),
      }));
    return [...named, ...own];
  });
}

/** Places inside the other pages. */
function useParts(): readonly Item[] {
  const { pages, console: backup, frame } = useOrganizeMessages();
  const { names, evidence } = pages;
  const { words, more } = frame.palette;
  const may = useMay();
  const to = useTo();
  const submission = { page: "submissions", kind: names.submissions } as const;
  const all: readonly (Item & { readonly needs: string })[] = [
    {
      key: "evidence",
      text: evidence.title,
      words: words.evidence,
      needs: "evidence.list",
      ...submission,
      ...to("/organize/submissions", { tab: "evidence" }),
    },
    {
      key: "backup",
      text: backup.backup.button,
      needs: "event.backup",
      page: "event",
      kind: names.event,
      ...to("/organize/event"),
    },
    {
      key: "import",
      text: more.import,
      words: words.import,
      needs: "team.import",
      page: "teams",
      kind: names.teams,
      ...to("/organize/teams"),
    },
    {
      key: "ceremony",
      text: more.ceremony,
      words: words["event.reveal"],
      needs: "event.reveal",
      page: "event",
      kind: names.event,
      ...to(CEREMONY),
    },
    {
      key: "new challenge",
      text: pages.editor.newTitle,
      needs: "challenge.create",
      page: "challenges",
      kind: names.challenges,
      shortcut: "g n",
      ...to("/organize/challenges/new"),
    },
  ];
  return all.filter(({ needs }) => may(needs));
}

/** Actions on the event and its teams, which open their dialog. */
function useActionItems(): readonly Item[] {
  const { pages, frame } = useOrganizeMessages();
  const { names, sheet } = pages;
  const may = useMay();
  const ask = useOpenAction();
  const overview = useOverview().data;
  if (!overview) return [];
  const reveal = isRevealDue(overview) ? [revealAction(overview)] : [];
  const event = [...reveal, ...eventActions(overview, sheet.notice)];
  const test = { action: "team.test", fixed: {} } as const;
  return [...event, test]
    .filter(({ action }) => may(action))
    .map((order) => ({
      key: order.action,
      text: wordFor(sheet.actions, order.action),
      words: wordFor(frame.palette.words, order.action),
      page: order.action === "team.test" ? "teams" : "event",
      kind: order.action === "team.test" ? names.teams : names.event,
      ...("key" in order && order.key ? { shortcut: order.key } : {}),
      run: () => ask(order),
    }));
}

/** Actions on this browser: the shortcuts, the players' site, and logout. */
function useOwnItems(onKeys: () => void): readonly Item[] {
  const { pages, frame, account } = useOrganizeMessages();
  const { words } = frame.palette;
  const signOut = useSignOut();
  const to = useTo();
  const own = { page: "account", kind: pages.names.account } as const;
  return [
    { key: "keys", text: pages.keys.title, words: words.keys, shortcut: "?", ...own, run: onKeys },
    { key: "player", text: frame.asPlayer, words: words.player, ...own, run: to("/").run },
    { key: "out", text: account.signOut, words: words.out, ...own, run: signOut },
  ];
}

function useChallengeItems(): readonly Item[] {
  const { names } = useOrganizeMessages().pages;
  const to = useTo();
  return (useChallenges().data ?? []).map(({ id, challengeName }) => ({
    key: `challenge ${id}`,
    text: challengeName,
    id,
    page: "challenges",
    kind: names.challenges,
    ...to("/organize/challenges", { open: id }),
  }));
}

/** Teams whose name, email address or ID the server matches; until it answers, the previous. */
function useTeamItems(wanted: string) {
  const { names } = useOrganizeMessages().pages;
  const to = useTo();
  const { data, isCurrent, error } = useTeams({ q: wanted });
  const items = (data?.pages[0]?.teams ?? []).slice(0, TEAMS_MAX).map(
    ({ teamName: team }): Item => ({
      key: `team ${team}`,
      text: team,
      page: "teams",
      kind: names.teams,
      ...to("/organize/teams", { team }),
    }),
  );
  return { items, isCurrent, isLooking: !isCurrent && !error };
}

export interface Group {
  readonly title: string;
  readonly items: readonly Item[];
}

export interface Found {
  /** Groups of the empty query, else one without a title. */
  readonly groups: readonly Group[];
  /** True while the server looks for teams. */
  readonly isLooking: boolean;
}

/** Items for a query; without one, those used last, the pages and the actions. */
export function useItems(
  query: string,
  recentOf: (items: readonly Item[]) => readonly Item[],
  onKeys: () => void,
): Found {
  const { palette } = useOrganizeMessages().frame;
  const wanted = query.trim();
  const pages = usePages();
  const actions = useActionItems();
  const parts = [...useEventParts(), ...useParts(), ...useViewItems(), ...useOwnItems(onKeys)];
  const challenges = useChallengeItems();
  const teams = useTeamItems(wanted);
  const commands = useCommands(wanted);
  if (wanted === "") {
    const recent = recentOf([...pages, ...actions, ...parts, ...challenges]);
    const isNew = ({ key }: Item) => !recent.some((one) => one.key === key);
    const groups = [
      { title: palette.recent, items: recent },
      { title: palette.pages, items: pages.filter(isNew) },
      { title: palette.actions, items: actions.filter(isNew) },
    ];
    return { groups: groups.filter(({ items }) => items.length > 0), isLooking: false };
  }
  const named = ranked([...pages, ...actions, ...parts, ...challenges, ...teams.items], wanted);
  const others = teams.isCurrent ? teams.items.filter((team) => !named.includes(team)) : [];
  const items = [...named, ...commands.items, ...others];
  const groups = items.length > 0 ? [{ title: "", items }] : [];
  return { groups, isLooking: teams.isLooking || commands.isLooking };
}
