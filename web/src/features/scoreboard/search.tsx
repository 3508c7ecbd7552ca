/** Finds teams on the board by part of their name. The key `/` focuses it. */
import { useEffect, useRef } from "react";
import { scoreboardAddress } from "../../addresses";
import { useMessages } from "../../messages/language";
import { go } from "../../navigate";
import { useKeys } from "../../ui/keys/keys";
import { LETTER_KEYS, usePreference } from "../../ui/preference/preference";
import styles from "./scoreboard.module.css";
import { useView } from "./view";

export function TeamSearch({ found }: { found: number }) {
  const { search: words } = useMessages();
  const view = useView();
  const { q: query = "" } = view;
  const input = useRef<HTMLInputElement>(null);
  useKeys((key) => {
    if (key !== "/") return false;
    input.current?.focus();
    input.current?.select();
    return true;
  });
  const hasKeys = usePreference(LETTER_KEYS) === "on";
  // The address may also change through a link or the Back button.
  useEffect(() => {
    if (input.current && input.current.value !== query) input.current.value = query;
  }, [query]);
  const look = (text: string) => {
    const address = scoreboardAddress({ ...view, q: text || undefined, page: undefined });
    go(address, { replace: true, keepScroll: true });
  };
  return (
    <search className={styles.search}>
      <input
        ref={input}
        type="search"
        aria-label={words.label}
        placeholder={words.label}
        aria-keyshortcuts={hasKeys ? "/" : undefined}
        autoComplete="off"
        spellCheck={false}
        defaultValue={query}
        onChange={(event) => look(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.currentTarget.value = "";
          look("");
        }}
      />
      {hasKeys && (
        <span className={styles.key} aria-hidden="true">
          /
        </span>
      )}
      <span role="status" className={query === "" ? "visually-hidden" : "quiet"}>
        {query === "" ? "" : words.found(found)}
      </span>
    </search>
  );
}
