/** The page's shortcuts: `/` searches, `j` and `k` move in the list, `o` opens the first file. */
import type { RefObject } from "react";
import { useKeys } from "../../ui/keys/keys";

/** Moves the focus by some headings, from the focused or else the open card. */
function move(list: HTMLElement | null, by: 1 | -1): void {
  const headings = [...(list?.querySelectorAll<HTMLElement>("[data-listed] h3 button") ?? [])];
  const card = document.activeElement?.closest("article");
  const focused = headings.findIndex((one) => card?.contains(one));
  const at =
    focused >= 0
      ? focused
      : headings.findIndex((one) => one.getAttribute("aria-expanded") === "true");
  const next = at < 0 ? 0 : Math.min(headings.length - 1, Math.max(0, at + by));
  headings[next]?.focus();
}

interface Places {
  list: RefObject<HTMLElement | null>;
  search: RefObject<HTMLElement | null>;
  /** ID of the challenge that was opened last. */
  shown: string | undefined;
}

export function useListKeys({ list, search, shown }: Places): void {
  useKeys((key) => {
    if (key === "/") search.current?.focus();
    else if (key === "j") move(list.current, 1);
    else if (key === "k") move(list.current, -1);
    else if (key === "o" && shown !== undefined)
      document
        .getElementById(`challenge-${shown}`)
        ?.querySelector<HTMLElement>("a[download]")
        ?.click();
    else return false;
    return true;
  });
}
