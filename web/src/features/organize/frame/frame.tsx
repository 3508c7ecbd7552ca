/** The frame of the organizers' pages: the event at a glance, the menu, and the keys. */
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from "react";
import type { Overview } from "../../../api/organize-lists";
import { useLanguage, useMessages } from "../../../messages/language";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go, useAddress } from "../../../navigate";
import { ACCOUNT, FRAMED, MENU } from "../pages";
import { useMe } from "../queries";
import { Roles } from "../roles";
import { durationText, useNow } from "./clock";
import { useKeptFocus } from "./focus";
import { KeyHint, useLetterKeys, useShortcut, useShortcutKeys } from "./keys";
import { KeysSheet } from "./keys-sheet";
import { useMay, useOverview } from "./reading";
import { changeView, PageLink, pageAddress, useWhose } from "./view";

function Countdown({ overview, readAt }: { overview: Overview; readAt: number }) {
  const { head } = useOrganizeMessages().pages;
  const now = useNow(overview.now - readAt);
  const { start, end } = overview;
  const next = [
    { at: start, text: head.until.start },
    { at: end, text: head.until.end },
  ].find(({ at }) => at !== null && at !== undefined && at > now);
  if (!next?.at) return null;
  return (
    <span role="timer" aria-live="off">
      <strong>{durationText(next.at - now)}</strong> {next.text}
    </span>
  );
}

/**
 * Whose view it is, once a freeze makes a difference. Who may not see the truth has nothing to
 * switch.
 */
function Whose({ isFrozen }: { isFrozen: boolean }) {
  const { pages } = useOrganizeMessages();
  const { head } = pages;
  const isPublic = useWhose() === "public";
  const seesTruth = useMay()("event.reveal");
  const change = () => changeView({ view: isPublic ? undefined : "public" });
  useShortcut("v", pages.keys.view, seesTruth ? change : undefined);
  const isTruth = seesTruth && !isPublic;
  if (!isFrozen && (isTruth || !seesTruth)) return null;
  const frozen = isTruth ? head.truth : head.shown;
  const text = isFrozen ? frozen : head.shownPlain;
  if (!seesTruth) return <span className="org-badge org-frozen">{text}</span>;
  return (
    <button
      type="button"
      className="org-badge org-frozen"
      title={head.switchView}
      aria-keyshortcuts="v"
      onClick={change}
    >
      {text}
    </button>
  );
}

function Waiting({ overview }: { overview: Overview }) {
  const { head } = useOrganizeMessages().pages;
  const may = useMay();
  const questions = overview.openQuestions ?? 0;
  const mails = overview.health?.mail?.waiting ?? 0;
  return (
    <>
      {questions > 0 && may("question.list") && (
        <PageLink className="org-badge" to="/organize/desk" query={{ state: "open" }}>
          {head.questions(questions)}
        </PageLink>
      )}
      {mails > 0 && may("action.list") && (
        <PageLink className="org-badge" to="/organize/teams" query={{ mail: "queued" }}>
          {head.mails(mails)}
        </PageLink>
      )}
    </>
  );
}

function Head({ onKeys, onPalette }: { onKeys: () => void; onPalette: () => void }) {
  const { head, names, palette } = useOrganizeMessages().pages;
  const { data, error, dataUpdatedAt } = useOverview();
  const me = useMe().data;
  return (
    <section aria-label={head.label} className="org-head">
      {data && (
        <>
          <span className="org-badge">{wordFor(head.status, data.status)}</span>
          <Countdown overview={data} readAt={dataUpdatedAt} />
          {data.isPaused && <span className="org-badge org-alarm">{head.paused}</span>}
          <Whose isFrozen={data.isFrozen} />
          <Waiting overview={data} />
        </>
      )}
      <div className="org-own">
        <span className="org-me">
          <a href={ACCOUNT} aria-label={`${names.account}: ${me?.name}`}>
            <bdi>{me?.name}</bdi>
          </a>{" "}
          <span className="org-wide">
            <Roles roles={me?.roles ?? []} />
          </span>
        </span>
        <button
          type="button"
          className="org-small"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={onPalette}
        >
          {palette.title} <KeyHint of="Ctrl K" />
        </button>
        <button type="button" className="org-small org-wide" aria-keyshortcuts="?" onClick={onKeys}>
          {head.keys} <KeyHint of="?" />
        </button>
      </div>
      <div role="status" className="org-stale">
        {data && error ? head.stale : null}
      </div>
    </section>
  );
}

const Palette = lazy(() => import("./palette"));

/** Opens the palette on Ctrl or Cmd and K, also from a field, but not over a dialog. */
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

type Entry = (typeof MENU)[number];

function isPartOf(path: string, page: string): boolean {
  return path === page || (page !== "/organize" && path.startsWith(`${page}/`));
}

/** On a narrow screen the menu scrolls: to the page that is open. */
function useInSight(isOpen: boolean) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const list = link.current?.closest("ul");
    if (!isOpen || !link.current || !list) return;
    const [one, all] = [link.current, list].map((element) => element.getBoundingClientRect());
    if (one && all) list.scrollLeft += (one.left + one.right - all.left - all.right) / 2;
  }, [isOpen]);
  return link;
}

function MenuLink({ entry }: { entry: Entry }) {
  const { names, keys } = useOrganizeMessages().pages;
  const { path } = useAddress();
  const whose = useWhose();
  const address = pageAddress(entry.path, whose);
  const isOpen = isPartOf(path, entry.path);
  const link = useInSight(isOpen);
  useShortcut(`g ${entry.key}`, `${names[entry.name]}: ${keys.goto}`, () => go(address));
  const expect = () =>
    void FRAMED.get(entry.path)
      ?.preload()
      .catch(() => undefined);
  return (
    <li>
      <a
        ref={link}
        href={address}
        aria-current={isOpen ? "page" : undefined}
        onPointerEnter={expect}
        onFocus={expect}
      >
        {names[entry.name]}
      </a>
    </li>
  );
}

/** The interface of the site has more languages than these pages. */
function OtherLanguage() {
  const { language } = useLanguage();
  const { navigation } = useMessages();
  if (language === "en" || language === "it") return null;
  return <p className="org-note">{navigation.organizersIn}</p>;
}

export function Frame({ children }: { children: ReactNode }) {
  const { menu, keys } = useOrganizeMessages().pages;
  const may = useMay();
  useShortcutKeys();
  const [showsKeys, showKeys] = useState(false);
  const [showsPalette, showPalette] = useState(false);
  const open = () => showKeys(true);
  const openPalette = useCallback(() => showPalette(true), []);
  usePaletteKey(openPalette);
  useKeptFocus();
  useShortcut("?", keys.help, open);
  return (
    <div className="org" data-keys={useLetterKeys()}>
      <Head onKeys={open} onPalette={openPalette} />
      <OtherLanguage />
      <nav aria-label={menu} className="org-menu">
        <ul>
          {MENU.filter(({ needs }) => may(needs)).map((entry) => (
            <MenuLink key={entry.name} entry={entry} />
          ))}
        </ul>
      </nav>
      {children}
      {showsPalette && (
        <Suspense fallback={null}>
          <Palette onClose={() => showPalette(false)} />
        </Suspense>
      )}
      {showsKeys && <KeysSheet onClose={() => showKeys(false)} />}
    </div>
  );
}
