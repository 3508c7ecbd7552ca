/** The palette: pages, teams, challenges and actions of the event, found by what is typed. */
import { useCombobox } from "downshift";
import { useEffect, useRef, useState } from "react";
import { folded } from "../../../domain/find";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { Dialog } from "../../../ui/dialog/dialog";
import { useAsk } from "../change/acting";
import { eventActions } from "../event/actions";
import { tabParameter, useTabs } from "../event/tabs";
import { MENU } from "../pages";
import { useChallenges, useMay, useOverview, useTeams } from "./reading";
import { pageAddress, useWhose } from "./view";

interface Found {
  readonly key: string;
  readonly text: string;
  /** What kind of thing it is. */
  readonly kind: string;
  run(): void;
}

const TEAMS_MAX = 8;

function useEventActions(): readonly Found[] {
  const { names, sheet } = useOrganizeMessages().pages;
  const may = useMay();
  const ask = useAsk();
  const overview = useOverview().data;
  const actions = overview ? eventActions(overview, sheet.notice) : [];
  return actions
    .filter(({ action }) => may(action))
    .map((order) => ({
      key: order.action,
      text: wordFor(sheet.actions, order.action),
      kind: names.event,
      run: () => ask(order),
    }));
}

/** The tabs of the page Event, which people look for by name. */
function useEventTabs(): readonly Found[] {
  const { names, event } = useOrganizeMessages().pages;
  const may = useMay();
  const whose = useWhose();
  const tabs = useTabs();
  if (!may("event.overview")) return [];
  return tabs.map((tab) => ({
    key: `tab ${tab}`,
    text: event.tabOf[tab],
    kind: names.event,
    run: () => go(pageAddress("/organize/event", whose, { tab: tabParameter(tab) })),
  }));
}

/** The teams that the server finds by name, address or number. */
function useFoundTeams(query: string): readonly Found[] {
  const { names } = useOrganizeMessages().pages;
  const whose = useWhose();
  const teams = useTeams({ q: query.trim() }).data?.pages[0]?.teams ?? [];
  return teams.slice(0, TEAMS_MAX).map(({ teamName: team }) => ({
    key: `team ${team}`,
    text: team,
    kind: names.teams,
    run: () => go(pageAddress("/organize/teams", whose, { team })),
  }));
}

function useFound(query: string): readonly Found[] {
  const { names } = useOrganizeMessages().pages;
  const may = useMay();
  const whose = useWhose();
  const teams = useFoundTeams(query);
  const actions = useEventActions();
  const tabs = useEventTabs();
  const pages = MENU.filter(({ needs }) => may(needs)).map(({ name, path }) => ({
    key: path,
    text: names[name],
    kind: "",
    run: () => go(pageAddress(path, whose)),
  }));
  const challenges = (useChallenges().data ?? []).map(({ id, challengeName }) => ({
    key: `challenge ${id}`,
    text: challengeName,
    kind: names.challenges,
    run: () => go(pageAddress("/organize/challenges", whose, { open: id })),
  }));
  const wanted = folded(query.trim());
  const isWanted = ({ text }: Found) => folded(text).includes(wanted);
  if (wanted === "") return [...pages, ...actions];
  return [...[...pages, ...tabs, ...actions, ...challenges].filter(isWanted), ...teams];
}

export default function Palette({ onClose }: { onClose: () => void }) {
  const { palette: words } = useOrganizeMessages().pages;
  const [query, setQuery] = useState("");
  const input = useRef<HTMLInputElement>(null);
  // The dialog has given the focus to its first button.
  useEffect(() => input.current?.focus(), []);
  const found = [...useFound(query)];
  const box = useCombobox<Found>({
    items: found,
    isOpen: true,
    defaultHighlightedIndex: 0,
    itemToString: (item) => item?.text ?? "",
    itemToKey: (item) => item?.key,
    onInputValueChange: ({ inputValue, type }) => {
      if (type === useCombobox.stateChangeTypes.InputChange) setQuery(inputValue);
    },
    onSelectedItemChange: ({ selectedItem }) => {
      onClose();
      selectedItem?.run();
    },
  });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="org-stack">
        <input
          type="text"
          {...box.getInputProps({
            "aria-label": words.field,
            placeholder: words.field,
            ref: input,
            autoComplete: "off",
            spellCheck: false,
          })}
        />
        <div role="status">{found.length === 0 && <p>{words.none}</p>}</div>
        <ul {...box.getMenuProps({ "aria-label": words.title })} className="org-found">
          {found.map((item, index) => (
            <li
              key={item.key}
              {...box.getItemProps({ item, index })}
              data-highlighted={index === box.highlightedIndex}
            >
              <bdi>{item.text}</bdi> <span className="org-note">{item.kind}</span>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
