/**
 * What organizers typed and did not send yet, in the tab's storage, which a session that ends does
 * not lose. It has flags: signing out removes it, and so does somebody else who signs in.
 */
const PREFIX = "organize ";

/** What is kept; null without it, or where storage is forbidden. */
export function readKept(name: string): unknown {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? "null");
    return value;
  } catch {
    return null;
  }
}

/** Keeps a value; null removes it. */
export function writeKept(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // storage is forbidden here or full: what was typed lasts as long as its page
  }
}

const NAME = "name";

/** Says who is signed in. What somebody else left in this tab is removed. */
export function keepFor(name: string): void {
  if (readKept(NAME) === name) return;
  clearKept();
  writeKept(NAME, name);
}

/** Removes all that organizers keep in this tab, drafts of sheets too. */
export function clearKept(): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // storage is forbidden here: nothing is kept
  }
}
