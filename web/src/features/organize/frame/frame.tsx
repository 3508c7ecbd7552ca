/** Frame of the organizer pages: bar, rail, keyboard shortcuts and command palette. */
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useCtf } from "../../../api/queries";
import { useLanguage, useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useAddress } from "../../../navigate";
import { Bar } from "../bar/bar";
import { isPartOf, Rail } from "../bar/rail";
import { useKeptScroll } from "../bar/scroll";
import { ACCOUNT, MENU } from "../pages";
import { Palette } from "../palette/palette";
import { useKeptFocus } from "./focus";
import { useLetterKeys, useShortcut, useShortcutKeys } from "./keys";
import { KeysSheet } from "./keys-sheet";
import { useOverview } from "./queries";

/** Opens the command palette on Ctrl or Cmd+K, also from a field, but not over a dialog. */
function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [open]);
}

/** Names the browser's tab after the page, with the number of questions that wait. */
function useTitle(): void {
  const { names } = useOrganizeMessages().pages;
  const { path } = useAddress();
  const { name: event, openQuestions } = useOverview().data ?? {};
  const open = MENU.findLast((page) => isPartOf(path, page.path));
  const name = names[path === ACCOUNT ? "account" : (open?.name ?? "event")];
  const count = openQuestions ? `(${openQuestions}) ` : "";
  const site = useCtf().data?.info.name;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the site sets its title again.
  useEffect(() => {
    if (!event) return;
    // After the site, which sets the title in the same step.
    queueMicrotask(() => {
      document.title = `${count}${name} · ${event}`;
    });
  }, [event, name, count, site]);
}

/** Note that these pages are not available in the site's current language. */
function OtherLanguage() {
  const { language } = useLanguage();
  const { navigation } = useMessages();
  if (language === "en" || language === "it") return null;
  return <p className="org-note">{navigation.organizersIn}</p>;
}

export function Frame({ children }: { children: ReactNode }) {
  const { keys } = useOrganizeMessages().pages;
  useShortcutKeys();
  const [showsKeys, showKeys] = useState(false);
  const [showsPalette, showPalette] = useState(false);
  const openKeys = useCallback(() => showKeys(true), []);
  const openPalette = useCallback(() => showPalette(true), []);
  usePaletteKey(openPalette);
  useKeptFocus();
  useKeptScroll();
  useTitle();
  useShortcut("?", keys.help, openKeys);
  return (
    <div className="org" data-keys={useLetterKeys()}>
      <Bar onKeys={openKeys} onPalette={openPalette} />
      <Rail />
      <div data-content tabIndex={-1} className="org-page">
        <OtherLanguage />
        {children}
      </div>
      {showsPalette && <Palette onClose={() => showPalette(false)} onKeys={openKeys} />}
      {showsKeys && <KeysSheet onClose={() => showKeys(false)} />}
    </div>
  );
}
