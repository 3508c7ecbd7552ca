/**
 * Where a login is to lead that comes after a mailed link, which opens in another tab: kept by the
 * browser from the signup until the login. Without storage, or on another device, there is none.
 */
const KEY = "destination";

export function keepDestination(to: string): void {
  try {
    if (to === "/") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, to);
  } catch {
    // storage is forbidden here: the login leads to the challenges
  }
}

/** An empty text without one. */
export function keptDestination(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
