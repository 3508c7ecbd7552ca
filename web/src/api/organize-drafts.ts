/**
 * Copies of drafts in local storage, which outlive their tab. They can contain flags, so a logout
 * removes them, another organizer never reads them, and they expire.
 */
const PREFIX = "organize kept ";
const DAYS_MAX = 7;
const DAY_MS = 86_400_000;

export interface KeptDraft {
  /** Time of the last edit, in epoch milliseconds. */
  readonly at: number;
  /** Name of the organizer. */
  readonly by: string;
  /** The draft, as stored for the tab. */
  readonly draft: string;
}

/** Key of the tab's draft, as in `drafts.ts`. */
const tabKey = (name: string) => `organize ${name}`;

function isKept(value: unknown): value is KeptDraft {
  if (typeof value !== "object" || value === null) return false;
  return "at" in value && "by" in value && "draft" in value && typeof value.draft === "string";
}

function parsed(text: string | null): KeptDraft | null {
  const value: unknown = JSON.parse(text ?? "null");
  return isKept(value) ? value : null;
}

/** Runs an access to the storage, which can be full or not available. */
function attempt<T>(access: () => T, otherwise: T): T {
  try {
    return access();
  } catch {
    return otherwise;
  }
}

/** True if the tab has a draft. */
export function hasTabDraft(name: string): boolean {
  return attempt(() => sessionStorage.getItem(tabKey(name)) !== null, false);
}

/** The organizer's kept draft; null if there is none or it expired. */
export function readKept(name: string, by: string): KeptDraft | null {
  return attempt(() => {
    const kept = parsed(localStorage.getItem(PREFIX + name));
    const isFresh = kept !== null && Date.now() - kept.at < DAYS_MAX * DAY_MS;
    return isFresh && kept.by === by ? kept : null;
  }, null);
}

/** Keeps the tab's draft. Returns false if the storage is not available. */
export function keepDraft(name: string, by: string): boolean {
  return attempt(() => {
    const draft = sessionStorage.getItem(tabKey(name));
    if (draft === null) return false;
    const kept: KeptDraft = { at: Date.now(), by, draft };
    localStorage.setItem(PREFIX + name, JSON.stringify(kept));
    return true;
  }, false);
}

/** Makes a kept draft the tab's draft. */
export function restoreKept(name: string, { draft }: KeptDraft): void {
  attempt(() => sessionStorage.setItem(tabKey(name), draft), undefined);
}

export function dropKept(name: string): void {
  attempt(() => localStorage.removeItem(PREFIX + name), undefined);
}

/** Removes kept drafts, except for those of the organizer who is logged in. */
export function clearKept(except?: string): void {
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      const kept = attempt(() => parsed(localStorage.getItem(key)), null);
      if (kept === null || kept.by !== except) localStorage.removeItem(key);
    }
  }, undefined);
}
