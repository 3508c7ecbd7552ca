/** Keys of the drafts in the tab's storage, and their removal. */

/** Owner of a draft: a team, by name, or the logged-in organizer. */
export type Scope = "play" | "organize";

export const keyOf = (scope: Scope, name: string) => `${scope} ${name}`;

/** Removes the tab's drafts in a scope. Drafts can contain flags. */
export function clearDrafts(scope: Scope): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(keyOf(scope, "")));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // Storage is not available, so there are no drafts.
  }
}
