/** The team's token in the cookie `apitoken`: 48 hours, SameSite=Strict, Secure. */

const COOKIE = "apitoken";
const HOURS_48_S = 48 * 3600;

/** A cookie with this prefix is a JWT of another system, not a Flagship token. */
const FOREIGN_PREFIX = "eyJ";

function cookieValue(): string {
  for (const pair of document.cookie.split(";")) {
    const [name, value = ""] = pair.trim().split("=", 2);
    if (name === COOKIE) return value;
  }
  return "";
}

/** The token, or an empty string. */
export function readToken(): string {
  const value = cookieValue();
  return value.startsWith(FOREIGN_PREFIX) ? "" : value;
}

/** Writes the cookie; false when the browser did not keep it (plain http off localhost). */
export function writeToken(token: string): boolean {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API cannot be relied on yet.
  document.cookie = `${COOKIE}=${token}; Max-Age=${HOURS_48_S}; Path=/; SameSite=Strict; Secure`;
  return cookieValue() === token;
}

/** Removes the cookie. */
export function clearToken(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as above.
  document.cookie = `${COOKIE}=; Max-Age=0; Path=/; SameSite=Strict; Secure`;
}
