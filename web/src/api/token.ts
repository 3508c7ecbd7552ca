/**
 * The team's token, in the cookie `apitoken`: 48 hours, SameSite=Strict, Secure.
 *
 * Another host of the domain, such as a web challenge, can plant cookies of this name with `Domain`
 * or another path. Only the site's own cookie disappears when the site expires it. To find its own
 * value, the site expires the cookie, writes the value that disappeared back, and ignores the rest.
 */
import { clearLook } from "./look-key";

const COOKIE = "apitoken";
const HOURS_48_S = 48 * 3600;

/** Prefix of JWTs, which are cookies of other systems and never Flagship tokens. */
const FOREIGN_PREFIX = "eyJ";

/** Token in the own cookie, or an empty string; valid for the cookie values in `seen`. */
let own = "";
let seen = "";

/** All non-empty cookie values of this name, own and planted. */
function cookieValues(): string[] {
  const pairs = document.cookie.split(";").map((pair) => pair.trim());
  const named = pairs.filter((pair) => pair.startsWith(`${COOKIE}=`));
  return named.map((pair) => pair.slice(COOKIE.length + 1)).filter((value) => value !== "");
}

/** Writes the own cookie; an age of 0 removes it. */
function setCookie(value: string, ageS: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: browser support for Cookie Store is incomplete.
  document.cookie = `${COOKIE}=${value}; Max-Age=${ageS}; Path=/; SameSite=Strict; Secure`;
}

let otherTabs: BroadcastChannel | undefined;

/** Opens a channel to the site's other tabs; undefined if unsupported or blocked. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(COOKIE);
  } catch {
    return undefined;
  }
}

/** Accepts a token reported by another tab without searching for the own cookie. */
function learn(token: unknown): void {
  if (token === "" || (typeof token === "string" && cookieValues().includes(token))) {
    remember(token);
  }
}

/** Calls `onChange` when another tab changes the token; returns a function that stops it. */
export function followOtherTabs(onChange: () => void): () => void {
  const channel = openChannel();
  if (!channel) return () => undefined;
  channel.addEventListener("message", ({ data }) => {
    learn(data);
    onChange();
  });
  otherTabs = channel;
  return () => {
    channel.close();
    if (otherTabs === channel) otherTabs = undefined;
  };
}

function remember(value: string): void {
  own = value.startsWith(FOREIGN_PREFIX) ? "" : value;
  seen = cookieValues().join(";");
}

/** Removes the own cookie; returns the values that disappeared. */
function removeOwn(values: string[]): string[] {
  setCookie("", 0);
  const left = cookieValues();
  return values.filter((value) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Finds the value of the own cookie; an empty string if there is none. */
function findOwn(values: string[]): string {
  if (values.every((value) => value.startsWith(FOREIGN_PREFIX))) return "";
  let gone = removeOwn(values);
  // Another tab with the same search may have written the cookie back.
  if (gone.length === 0) gone = removeOwn(values);
  // There is only one own cookie: if more disappeared, another host removed one concurrently.
  const [value = ""] = gone.length === 1 ? gone : [];
  // The write restarts the cookie's 48 hours. The session still ends 48 hours after the login.
  if (value !== "") setCookie(value, HOURS_48_S);
  return value;
}

/** The token, or an empty string. */
export function readToken(): string {
  const values = cookieValues();
  // Other hosts do not know the own token, so this value can only come from the own cookie.
  if (!values.includes(own) && values.join(";") !== seen) remember(findOwn(values));
  return own;
}

/** Writes the cookie; false if the browser rejected it (plain HTTP, not on localhost). */
export function writeToken(token: string): boolean {
  setCookie(token, HOURS_48_S);
  const isKept = cookieValues().includes(token);
  if (isKept) {
    remember(token);
    otherTabs?.postMessage(token);
  }
  return isKept;
}

/** Removes the cookie, and the stored view of the scoreboard with the team's own later solves. */
export function clearToken(): void {
  const wasThere = own !== "";
  if (wasThere) clearLook();
  setCookie("", 0);
  remember("");
  if (wasThere) otherTabs?.postMessage("");
}
