/**
 * The pages: a rail beside the content, and on narrow screens a bar at the bottom with the most
 * used ones and a menu of the others.
 */
import { MenuItem } from "@ariakit/react";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { go, useAddress } from "../../../navigate";
import { KeyHint, useShortcut } from "../frame/keys";
import menu from "../frame/menu.module.css";
import { MenuOpener, OpenedMenu } from "../frame/menu-opener";
import nav from "../frame/nav.module.css";
import { useMay, useOverview } from "../frame/queries";
import { pageAddress, useScoreboardView } from "../frame/view";
import { ACCOUNT, FRAMED, MENU, type PageName } from "../pages";
import { useMe } from "../queries";
import { Roles } from "../roles";
import { menuProps } from "./account-menu";
import { MoreIcon, PageIcon } from "./icons";
import menuStyles from "./menu.module.css";
import { type Pending, pendingOf } from "./pending";
import styles from "./rail.module.css";

type Entry = (typeof MENU)[number];

/** Entries of the bottom bar; if there are more pages, the last one is a menu. */
const BOTTOM_MAX = 5;

/** True if a path belongs to a page of the menu. */
export function isPartOf(path: string, page: string): boolean {
  return path === page || (page !== "/organize" && path.startsWith(`${page}/`));
}

function expect(path: string): void {
  void FRAMED.get(path)
    ?.preload()
    .catch(() => undefined);
}

function Count({ pending }: { pending: Pending }) {
  const { frame } = useOrganizeMessages();
  const text = frame.pending[pending.kind](pending.count);
  return (
    <>
      <span aria-hidden="true" title={text} className={styles.count} data-urgent={pending.isUrgent}>
        {pending.count}
      </span>
      <span className="visually-hidden"> {text}</span>
    </>
  );
}

interface PageEntryProps {
  entry: Entry;
  pending: Pending | undefined;
  /** True if the bottom bar has no room for it. */
  isSpare: boolean;
}

function PageEntry({ entry, pending, isSpare }: PageEntryProps) {
  const { names, keys } = useOrganizeMessages().pages;
  const { path } = useAddress();
  const whose = useScoreboardView();
  const address = pageAddress(entry.path, whose);
  useShortcut(`g ${entry.key}`, `${names[entry.name]}: ${keys.goto}`, () => go(address));
  return (
    <li data-spare={isSpare}>
      <a
        href={address}
        aria-current={isPartOf(path, entry.path) ? "page" : undefined}
        onPointerEnter={() => expect(entry.path)}
        onFocus={() => expect(entry.path)}
      >
        <PageIcon of={entry.name} />
        <span className={styles.text}>{names[entry.name]}</span>
        {pending && <Count pending={pending} />}
        <KeyHint of={`g ${entry.key}`} />
      </a>
    </li>
  );
}

interface MoreProps {
  entries: readonly Entry[];
  pending: readonly Pending[];
}

function SpareEntries({ entries, pending }: MoreProps) {
  const { names } = useOrganizeMessages().pages;
  const { path } = useAddress();
  const whose = useScoreboardView();
  return entries.map((entry) => (
    <MenuItem
      key={entry.name}
      className={menu.item}
      aria-current={isPartOf(path, entry.path) ? "page" : undefined}
      render={<a href={pageAddress(entry.path, whose)} />}
    >
      <PageIcon of={entry.name} />
      <span className={menuStyles.text}>{names[entry.name]}</span>
      {pending
        .filter(({ page }) => page === entry.name)
        .map((one) => (
          <Count key={one.page} pending={one} />
        ))}
    </MenuItem>
  ));
}

/** Pages without a place in the bottom bar. */
function More({ entries, pending }: MoreProps) {
  const { frame } = useOrganizeMessages();
  const { path } = useAddress();
  const isOpen = entries.some((entry) => isPartOf(path, entry.path));
  const waits = pending.some(({ page }) => entries.some(({ name }) => name === page));
  return (
    <li className={styles.more}>
      <MenuOpener
        data-current={isOpen}
        data-waits={waits}
        menu={(opened) => (
          <OpenedMenu of={opened} placement="top-end" {...menuProps} aria-label={frame.more}>
            <SpareEntries entries={entries} pending={pending} />
          </OpenedMenu>
        )}
      >
        <MoreIcon />
        <span className={styles.text}>{frame.more}</span>
      </MenuOpener>
    </li>
  );
}

/** Link to the account at the foot of the rail. */
function AccountLink() {
  const { names } = useOrganizeMessages().pages;
  const { path } = useAddress();
  const { name, roles } = useMe();
  return (
    <a
      href={ACCOUNT}
      className={styles.account}
      aria-label={`${names.account}: ${name}`}
      aria-current={path === ACCOUNT ? "page" : undefined}
    >
      <PageIcon of="account" />
      <span className={styles.text}>
        <bdi className="ellipsis">{name}</bdi>
        <span className="ellipsis">
          <Roles roles={roles} />
        </span>
      </span>
    </a>
  );
}

const NOTHING: readonly Pending[] = [];
const find = (pending: readonly Pending[], page: PageName) =>
  pending.find((one) => one.page === page);

export function Rail() {
  const { menu } = useOrganizeMessages().pages;
  const may = useMay();
  const overview: Overview | undefined = useOverview().data;
  const pending = overview ? pendingOf(overview, may) : NOTHING;
  const entries = MENU.filter(({ needs }) => may(needs));
  const kept = entries.length > BOTTOM_MAX ? BOTTOM_MAX - 1 : BOTTOM_MAX;
  const spare = entries.slice(kept);
  return (
    <div className={`${nav.nav} ${styles.rail}`}>
      <nav aria-label={menu}>
        <ul>
          {entries.map((entry, at) => (
            <PageEntry
              key={entry.name}
              entry={entry}
              pending={find(pending, entry.name)}
              isSpare={at >= kept}
            />
          ))}
          {spare.length > 0 && <More entries={spare} pending={pending} />}
        </ul>
      </nav>
      <AccountLink />
    </div>
  );
}
