/** Browser settings: language, theme, time zone. */
import { useId, useLayoutEffect } from "react";
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
import styles from "./menu/menu.module.css";

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, name: string])[];
  onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <span className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one} lang={isLanguage(one) ? one : undefined}>
            {name}
          </option>
        ))}
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
    choose(next).catch((cause: unknown) => notify("error", new ChunkError(next, cause)));
  };
  const options = Object.entries(LANGUAGES);
  return (
    <Choice label={settings.language} value={language} options={options} onChoose={onChoose} />
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
  const value = usePreference(preference);
  const options = preference.values.map((one) => [one, names[one]] as const);
  return <Choice label={label} value={value} options={options} onChoose={choose} />;
}

/** Sets the theme on `<html>` before effects read colors; `first-paint.js` sets it initially. */
export function useTheme(): void {
  const theme = usePreference(THEME);
  useLayoutEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
}

export function Settings() {
  const { settings } = useMessages();
  const zone = useCtf().data?.info.timezone;
  const zones = { mine: settings.zones.mine, event: settings.zones.event(zone ?? "") };
  return (
    <>
      <LanguageChoice />
      <PreferenceChoice label={settings.theme} preference={THEME} names={settings.themes} />
      {zone && <PreferenceChoice label={settings.zone} preference={ZONE} names={zones} />}
    </>
  );
}
