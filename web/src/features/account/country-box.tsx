/**
 * The team's country: a search input and a list of countries with their flags. The first match is
 * highlighted; Enter, Tab and leaving the input select it. Without a match the selection stays.
 */
import { type UseComboboxState, type UseComboboxStateChangeOptions, useCombobox } from "downshift";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import countries from "../../../../vectors/countries.json";
import { folded } from "../../domain/find";
import { useMessages } from "../../messages/language";
import field from "../../ui/field/field.module.css";
import { countryName, Flag } from "../../ui/flag/flag";
import { ChevronIcon } from "../../ui/icons/icons";
import { useMedia } from "../../ui/motion/motion";
import styles from "./country-box.module.css";

const COUNTRY_DEFAULT = "UN";

interface Country {
  readonly code: string;
  readonly name: string;
}

/** Every country with its name in a language, sorted for that language. */
function namedCountries(locale: string): Country[] {
  const order = new Intl.Collator(locale);
  return countries
    .map(({ code, name }) => ({
      code,
      name: locale.startsWith("en") ? name : countryName(code, locale),
    }))
    .sort((a, b) => order.compare(a.name, b.name));
}

/** Matches the code first, then the beginning of the name, then any part of the name. */
export function findCountries(all: readonly Country[], query: string): Country[] {
  const wanted = plain(query);
  const place = ({ code, name }: Country): number => {
    if (code === wanted) return 0;
    return plain(name).startsWith(wanted) ? 1 : 2;
  };
  return all
    .filter((country) => country.code === wanted || plain(country.name).includes(wanted))
    .sort((a, b) => place(a) - place(b));
}

/** Folds case and removes accents: "cote" finds Côte. */
function plain(text: string): string {
  return folded(text.normalize("NFD").replace(/\p{Mn}/gu, ""));
}

type State = UseComboboxState<Country>;
type Change = UseComboboxStateChangeOptions<Country>;

/** Behavior beyond downshift: typed text always resolves to a selection. */
function settled(all: readonly Country[], state: State, { type, changes }: Change): Partial<State> {
  const types = useCombobox.stateChangeTypes;
  const { selectedItem: chosen, inputValue } = state;
  const isTyped = inputValue.trim() !== "" && inputValue !== chosen?.name;
  const choose = (country: Country | null) => {
    return { ...changes, isOpen: false, selectedItem: country, inputValue: country?.name ?? "" };
  };
  switch (type) {
    case types.InputChange: {
      const text = changes.inputValue ?? "";
      const hasMatch = text.trim() !== "" && findCountries(all, text).length > 0;
      return { ...changes, highlightedIndex: hasMatch ? 0 : -1 };
    }
    case types.InputClick:
      // A click that moves the caret must not close the list.
      return isTyped && state.isOpen ? {} : changes;
    case types.InputKeyDownEscape:
      return choose(chosen);
    case types.InputBlur:
    case types.InputKeyDownEnter:
    case types.ToggleButtonClick: {
      if (changes.isOpen) return changes;
      if (!isTyped) return choose(changes.selectedItem ?? chosen);
      const matches = findCountries(all, inputValue);
      return choose(matches[state.highlightedIndex] ?? matches[0] ?? chosen);
    }
    default:
      return changes;
  }
}

/** On phones, moves an open list to the top of the window, above the keyboard. */
function useAboveKeyboard(box: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const isPhone = useMedia("(max-width: 47.99rem) and (pointer: coarse)");
  useEffect(() => {
    if (!isOpen || !isPhone) return;
    const place = () => box.current?.scrollIntoView({ block: "start" });
    place();
    window.visualViewport?.addEventListener("resize", place);
    return () => window.visualViewport?.removeEventListener("resize", place);
  }, [box, isOpen, isPhone]);
}

/** `initial` is the code of the initially selected country. */
export function CountryBox({ initial = COUNTRY_DEFAULT }: { initial?: string }) {
  const { account: words, locale } = useMessages();
  const all = useMemo(() => namedCountries(locale), [locale]);
  const [code, setCode] = useState(initial);
  const [query, setQuery] = useState("");
  const chosen = all.find((country) => country.code === code) ?? null;
  const items = useMemo(() => findCountries(all, query), [all, query]);
  const box = useCombobox<Country>({
    items,
    selectedItem: chosen,
    itemToString: (country) => country?.name ?? "",
    itemToKey: (country) => country?.code,
    onInputValueChange: ({ inputValue, type }) => {
      setQuery(type === useCombobox.stateChangeTypes.InputChange ? inputValue : "");
    },
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem) setCode(selectedItem.code);
    },
    stateReducer: (state, change) => settled(all, state, change),
  });
  const place = useRef<HTMLDivElement>(null);
  useAboveKeyboard(place, box.isOpen);
  return (
    <div ref={place} className={styles.country} data-open={box.isOpen || undefined}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the properties hold its `for`. */}
      <label {...box.getLabelProps({ className: field.label })}>{words.country}</label>
      <div className={styles.field}>
        <span aria-hidden="true">
          <Flag code={code} />
        </span>
        <input
          type="text"
          {...box.getInputProps({
            onFocus: (event) => event.currentTarget.select(),
            autoComplete: "off",
            spellCheck: false,
          })}
        />
        <button {...box.getToggleButtonProps({ type: "button", "aria-label": words.countries })}>
          <ChevronIcon />
        </button>
      </div>
      <ul {...box.getMenuProps()} className={styles.list} hidden={!box.isOpen}>
        {box.isOpen &&
          items.map((country, index) => (
            <li
              key={country.code}
              {...box.getItemProps({ item: country, index })}
              className={styles.option}
              data-highlighted={index === box.highlightedIndex}
            >
              <span aria-hidden="true">
                <Flag code={country.code} />
              </span>
              {country.name}
            </li>
          ))}
        {box.isOpen && items.length === 0 && <li className={styles.none}>{words.noCountry}</li>}
      </ul>
      <input type="hidden" name="country" value={code} />
    </div>
  );
}
