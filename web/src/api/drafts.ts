/**
 * Flags that were typed and not accepted yet, one for each team and challenge, in the tab's
 * storage: a session that ends does not lose them, a logout removes them.
 */
const PREFIX = "draft flag ";

function keyOf(team: string, challengeId: string): string {
  return PREFIX + JSON.stringify([team, challengeId]);
}

/** An empty text without a draft, or where storage is forbidden. */
export function readDraft(team: string, challengeId: string): string {
  try {
    return sessionStorage.getItem(keyOf(team, challengeId)) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a draft; an empty one is removed. */
export function writeDraft(team: string, challengeId: string, flag: string): void {
  try {
    const key = keyOf(team, challengeId);
    if (flag === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, flag);
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
