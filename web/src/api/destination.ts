/**
 * Page to open after the first login. Confirmation links open in a new tab, so the browser stores
 * the page between signup and login. It is empty on another device or without storage.
 */
const KEY = "destination";

export function keepDestination(to: string): void {
  try {
    if (to === "/") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, to);
  } catch {
    // Storage is not available: the login opens the challenges.
  }
}

/** Returns the stored destination, or an empty string. */
export function storedDestination(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
