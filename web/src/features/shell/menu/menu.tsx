/**
 * The one menu of the bar: the account, on phones also the pages without a tab, and the browser's
 * settings. It opens from the team's name, for visitors from an icon. It is a popover: the browser
 * closes it on Esc and on a click outside, and then restores the focus.
 */
import { type ReactNode, Suspense, useRef, useState } from "react";
import { teamAddress } from "../../../addresses";
import { useSession } from "../../../api/session";
import { useMessages } from "../../../messages/language";
import { useAddress } from "../../../navigate";
import { chunkPart } from "../../../ui/chunk-part/chunk-part";
import { ChevronIcon, EyeIcon, TeamIcon } from "../../../ui/icons/icons";
import { LETTER_KEYS, usePreference } from "../../../ui/preference/preference";
import { PreferencesIcon } from "../navigation-icons";
import { Settings } from "../settings";
import styles from "./menu.module.css";
import { TeamName } from "./team-name";

export const MENU_ID = "menu";

const OwnTeam = chunkPart<{ team: string }>("own-team", () => import("./own-team"), TeamName);

function Button({ team }: { team: string | null }) {
  const { settings } = useMessages();
  if (team === null) {
    return (
      <button
        type="button"
        popoverTarget={MENU_ID}
        aria-label={settings.title}
        title={settings.title}
        className={styles.button}
      >
        <PreferencesIcon />
      </button>
    );
  }
  return (
    <button type="button" popoverTarget={MENU_ID} className={styles.button}>
      <Suspense fallback={<TeamName team={team} />}>
        <OwnTeam key={team} team={team} />
      </Suspense>
      <ChevronIcon className={styles.chevron} />
    </button>
  );
}

interface MenuProps {
  /** Opens the list of shortcuts; undefined where there is none. */
  onKeys: (() => void) | undefined;
  /** Links to pages without a tab, as list items. */
  pages: ReactNode;
}

export function Menu({ onKeys, pages }: MenuProps) {
  const { settings, own } = useMessages();
  const { path } = useAddress();
  const { team } = useSession();
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const hasKeyHint = usePreference(LETTER_KEYS) === "on";
  const close = () => box.current?.hidePopover?.();
  const openKeys = () => {
    close();
    onKeys?.();
  };
  return (
    <>
      <Button team={team} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields. */}
      <div
        ref={box}
        id={MENU_ID}
        popover="auto"
        role="group"
        aria-label={settings.title}
        data-open={isOpen ? "" : undefined}
        className={styles.menu}
        onBeforeToggle={({ newState }) => setOpen(newState === "open")}
      >
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click. */}
        <ul className={`plain-list ${styles.links}`} onClick={close}>
          {team !== null && (
            <li>
              <a href="/account" aria-current={path === "/account" ? "page" : undefined}>
                <TeamIcon />
                <span className={styles.account}>
                  {own.title} {isOpen && <bdi className="ellipsis">{team}</bdi>}
                </span>
              </a>
            </li>
          )}
          {isOpen && team !== null && (
            <li>
              <a href={teamAddress(team)}>
                <EyeIcon />
                {own.publicPage}
              </a>
            </li>
          )}
          {isOpen && pages}
        </ul>
        <div className={styles.settings}>
          <Settings />
        </div>
        {onKeys && (
          <button type="button" className={styles.keys} onClick={openKeys}>
            {settings.keys}
            {hasKeyHint && <span aria-hidden="true">?</span>}
          </button>
        )}
      </div>
    </>
  );
}
