/** Menu of the logged-in organizer: account, preferences, the players' site, and logout. */
import {
  Menu,
  MenuButton,
  MenuItem,
  MenuItemRadio,
  MenuProvider,
  MenuSeparator,
} from "@ariakit/react";
import type { ReactNode } from "react";
import { isLanguage, LANGUAGES, useLanguage, useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { ChunkError } from "../../../ui/chunk/chunk";
import { useNotify } from "../../../ui/notification/notification";
import { choosePreference, THEME, usePreference } from "../../../ui/preference/preference";
import { KeyHint } from "../frame/keys";
import menu from "../frame/menu.module.css";
import { MenuOpener, OpenedMenu } from "../frame/menu-opener";
import { MENU_PROPS } from "../frame/menu-props";
import { ACCOUNT } from "../pages";
import { useMe } from "../queries";
import { Roles } from "../roles";
import { useSignOut } from "../sign-out";
import { CheckedIcon, NextIcon } from "./icons";
import styles from "./menu.module.css";

export const menuProps = {
  ...MENU_PROPS,
  gutter: 6,
  overflowPadding: 8,
};

interface ChoiceProps {
  label: string;
  name: string;
  value: string;
  options: Readonly<Record<string, string>>;
  onChoose: (value: string) => void;
}

/** A menu with one checked entry, beside its own name in the account menu. */
function Choice({ label, name, value, options, onChoose }: ChoiceProps) {
  return (
    <MenuProvider placement="left-start">
      <MenuButton className={menu.item} render={<MenuItem hideOnClick={false} />}>
        <span>{label}</span>
        <span className={styles.end}>
          {options[value]}
          <NextIcon />
        </span>
      </MenuButton>
      <Menu {...menuProps} aria-label={label} gutter={2} flip="right left bottom" overlap>
        {Object.entries(options).map(([one, text]) => (
          <MenuItemRadio
            key={one}
            name={name}
            value={one}
            checked={one === value}
            onClick={() => onChoose(one)}
            lang={isLanguage(one) ? one : undefined}
            className={menu.item}
          >
            <span>{text}</span>
            {one === value && <CheckedIcon />}
          </MenuItemRadio>
        ))}
      </Menu>
    </MenuProvider>
  );
}

function Preferences() {
  const { settings } = useMessages();
  const { language, choose } = useLanguage();
  const { notify } = useNotify();
  const theme = usePreference(THEME);
  return (
    <>
      <Choice
        label={settings.language}
        name="language"
        value={language}
        options={LANGUAGES}
        onChoose={(next) => {
          if (!isLanguage(next)) return;
          choose(next).catch((cause: unknown) => notify("error", new ChunkError(next, cause)));
        }}
      />
      <Choice
        label={settings.theme}
        name="theme"
        value={theme}
        options={settings.themes}
        onChoose={(next) => {
          const chosen = THEME.values.find((one) => one === next);
          if (chosen) choosePreference(THEME, chosen);
        }}
      />
    </>
  );
}

/** Initials of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""];
  return letters.map((word) => [...(word ?? "")][0] ?? "").join("");
}

function Item({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <MenuItem className={menu.item} onClick={onPress}>
      {children}
    </MenuItem>
  );
}

function AccountItems({ onKeys }: { onKeys: () => void }) {
  const { pages, frame, account } = useOrganizeMessages();
  const { name, roles } = useMe();
  const signOut = useSignOut();
  return (
    <>
      <MenuItem className={`${menu.item} ${styles.person}`} render={<a href={ACCOUNT} />}>
        <bdi className="ellipsis">{name}</bdi>
        <span className={styles.note}>
          <Roles roles={roles} />
        </span>
      </MenuItem>
      <MenuSeparator className={styles.line} />
      <MenuItem className={menu.item} render={<a href="/">{frame.asPlayer}</a>} />
      <Item onPress={onKeys}>
        <span>{pages.head.keys}</span>
        <KeyHint of="?" />
      </Item>
      <Preferences />
      <MenuSeparator className={styles.line} />
      <Item onPress={signOut}>{account.signOut}</Item>
    </>
  );
}

export function AccountMenu({ onKeys }: { onKeys: () => void }) {
  const { frame } = useOrganizeMessages();
  const { name } = useMe();
  const label = frame.menuOf(name);
  return (
    <MenuOpener
      className={styles.account}
      aria-label={label}
      title={name}
      menu={(opened) => (
        <OpenedMenu of={opened} placement="bottom-end" {...menuProps} aria-label={label}>
          <AccountItems onKeys={onKeys} />
        </OpenedMenu>
      )}
    >
      <span aria-hidden="true">{initialsOf(name)}</span>
    </MenuOpener>
  );
}
