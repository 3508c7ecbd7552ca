/**
 * Flags and questions that were typed and not accepted yet, in the tab's storage, each by its team
 * and what it is for: a challenge's id, or a question's name. A session that ends does not lose
 * them, a logout removes them.
 */
const PREFIX = "draft ";

function keyOf(team: string, what: string): string {
  return PREFIX + JSON.stringify([team, what]);
}

/** An empty text without a draft, or where storage is forbidden. */
export function readDraft(team: string, what: string): string {
  try {
    return sessionStorage.getItem(keyOf(team, what)) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a draft; an empty one is removed. */
export function writeDraft(team: string, what: string, text: string): void {
  try {
    const key = keyOf(team, what);
    if (text === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // storage is forbidden here: the draft lasts as long as its field
  }
}

/** Removes all drafts of this tab. */
export function clearDrafts(): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // storage is forbidden here: nothing is kept
  }
}
