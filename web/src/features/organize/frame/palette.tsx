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
import { type Changes, pageAddress, useWhose } from "./view";

interface Found {
  readonly key: string;
  readonly text: string;
  readonly kind: string;
  run(): void;
}

const TEAMS_MAX = 8;

function useFound(query: string): readonly Found[] {
  const { names, sheet, event } = useOrganizeMessages().pages;
  const may = useMay();
  const ask = useAsk();
  const whose = useWhose();
  const overview = useOverview().data;
  const wanted = folded(query.trim());
  const to = (path: string, query?: Changes) => () => go(pageAddress(path, whose, query));
  const pages = MENU.filter(({ needs }) => may(needs)).map(({ name, path }) => ({
    key: path,
    text: names[name],
    kind: "",
    run: to(path),
  }));
  const actions = (overview ? eventActions(overview, sheet.notice) : [])
    .filter(({ action }) => may(action))
    .map((order) => ({
      key: order.action,
      text: wordFor(sheet.actions, order.action),
      kind: names.event,
      run: () => ask(order),
    }));
  // People look for the tabs of the page Event by name.
  const ownTabs = useTabs().filter(() => may("event.overview"));
  const tabs = ownTabs.map((tab) => ({
    key: `tab ${tab}`,
    text: event.tabOf[tab],
    kind: names.event,
    run: to("/organize/event", { tab: tabParameter(tab) }),
  }));
  const challenges = (useChallenges().data ?? []).map(({ id, challengeName }) => ({
    key: `challenge ${id}`,
    text: challengeName,
    kind: names.challenges,
    run: to("/organize/challenges", { open: id }),
  }));
  // The teams that the server finds by name, address or number.
  const found = useTeams({ q: query.trim() }).data?.pages[0]?.teams ?? [];
  const teams = found.slice(0, TEAMS_MAX).map(({ teamName: team }) => ({
    key: `team ${team}`,
    text: team,
    kind: names.teams,
    run: to("/organize/teams", { team }),
  }));
  if (wanted === "") return [...pages, ...actions];
  const isWanted = ({ text }: Found) => folded(text).includes(wanted);
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
