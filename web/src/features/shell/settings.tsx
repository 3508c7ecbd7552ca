/** What a visitor chooses for this browser, in the footer: language, theme, time zone, keys. */
import { type ReactNode, useId, useLayoutEffect } from "react";
import { failureOf } from "../../api/client";
import { useCtf } from "../../api/queries";
import { isLanguage, LANGUAGES, useLanguage, useMessages } from "../../messages/language";
import { ChunkError } from "../../ui/chunk/chunk";
import { useNotify } from "../../ui/notification/notification";
import {
  choosePreference,
  type Preference,
  THEME,
  usePreference,
  ZONE,
} from "../../ui/preference/preference";
import styles from "./shell.module.css";

interface ChoiceProps {
  label: string;
  value: string;
  onChoose: (value: string) => void;
  children: ReactNode;
}

function Choice({ label, value, onChoose, children }: ChoiceProps) {
  const id = useId();
  return (
    <span className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.target.value)}>
        {children}
      </select>
    </span>
  );
}

function LanguageChoice() {
  const { language, choose } = useLanguage();
  const { settings } = useMessages();
  const { notify } = useNotify();
  const onChoose = (next: string) => {
    if (!isLanguage(next)) return;
    choose(next).catch((cause: unknown) => notify("error", failureOf(new ChunkError(next, cause))));
  };
  return (
    <Choice label={settings.language} value={language} onChoose={onChoose}>
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </Choice>
  );
}

interface PreferenceChoiceProps<Value extends string> {
  label: string;
  preference: Preference<Value>;
  names: Readonly<Record<Value, string>>;
}

function PreferenceChoice<Value extends string>(props: PreferenceChoiceProps<Value>) {
  const { label, preference, names } = props;
  const choose = (text: string) => {
    const value = preference.values.find((one) => one === text);
    if (value !== undefined) choosePreference(preference, value);
  };
  return (
    <Choice label={label} value={usePreference(preference)} onChoose={choose}>
      {preference.values.map((value) => (
        <option key={value} value={value}>
          {names[value]}
        </option>
      ))}
    </Choice>
  );
}

/** The theme on `<html>`, before effects read a colour; at first `first-paint.js` has set it. */
export function useTheme(): void {
  const theme = usePreference(THEME);
  useLayoutEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
}

/** Without `onKeys` the page has no sheet of keys. */
export function Settings({ onKeys }: { onKeys: (() => void) | undefined }) {
  const { settings } = useMessages();
  const zone = useCtf().data?.info.timezone;
  const zones = { mine: settings.zones.mine, event: settings.zones.event(zone ?? "") };
  return (
    <>
      <LanguageChoice />
      <PreferenceChoice label={settings.theme} preference={THEME} names={settings.themes} />
      {zone && <PreferenceChoice label={settings.zone} preference={ZONE} names={zones} />}
      {onKeys && (
        <button type="button" onClick={onKeys}>
          {settings.keys}
        </button>
      )}
    </>
  );
}
