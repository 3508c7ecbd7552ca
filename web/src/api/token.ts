/**
 * The team's token in the cookie `apitoken`: 48 hours, SameSite=Strict, Secure.
 *
 * Another host of the domain, such as that of a web challenge, can plant cookies of this name, with
 * `Domain` or another path. Only the site's own cookie disappears when the site expires it. So the
 * site does that, writes the value that disappeared back, and ignores the values that stay.
 */

const COOKIE = "apitoken";
const HOURS_48_S = 48 * 3600;

/** A cookie with this prefix is a JWT of another system, not a Flagship token. */
const FOREIGN_PREFIX = "eyJ";

/** The token in the own cookie, or an empty string, when all values were those in `seen`. */
let own = "";
let seen = "";

/** All values of the name, own and planted, without empty ones. */
function cookieValues(): string[] {
  const pairs = document.cookie.split(";").map((pair) => pair.trim());
  const named = pairs.filter((pair) => pair.startsWith(`${COOKIE}=`));
  return named.map((pair) => pair.slice(COOKIE.length + 1)).filter((value) => value !== "");
}

/** Writes the own cookie; an age of 0 removes it. */
function setCookie(value: string, ageS: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API cannot be relied on yet.
  document.cookie = `${COOKIE}=${value}; Max-Age=${ageS}; Path=/; SameSite=Strict; Secure`;
}

let otherTabs: BroadcastChannel | undefined;

/** A channel to the site's other tabs; none where the browser has none, or forbids it. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(COOKIE);
  } catch {
    return undefined;
  }
}

/** Takes the token that another tab says it wrote, without looking for the own cookie. */
function learn(token: unknown): void {
  if (token === "" || (typeof token === "string" && cookieValues().includes(token))) {
    remember(token);
  }
}

/** Calls `onChange` when another tab has changed the token; returns a function that stops it. */
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

/** Removes the own cookie; returns those of the values that disappeared. */
function removeOwn(values: string[]): string[] {
  setCookie("", 0);
  const left = cookieValues();
  return values.filter((value) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Which of the values is the own cookie's; an empty string if none is. */
function findOwn(values: string[]): string {
  if (values.every((value) => value.startsWith(FOREIGN_PREFIX))) return "";
  let gone = removeOwn(values);
  // Another tab that was looking, too, may have written the cookie back meanwhile.
  if (gone.length === 0) gone = removeOwn(values);
  // There is one own cookie: if more disappeared, another host removed its own just now.
  const [value = ""] = gone.length === 1 ? gone : [];
  // This restarts the cookie's 48 hours; the server ends the session after its own 48 all the same.
  if (value !== "") setCookie(value, HOURS_48_S);
  return value;
}

/** The token, or an empty string. */
export function readToken(): string {
  const values = cookieValues();
  // No other host knows the own token: while its value is there, it is the own cookie's.
  if (!values.includes(own) && values.join(";") !== seen) remember(findOwn(values));
  return own;
}

/** Writes the cookie; false when the browser did not keep it (plain http off localhost). */
export function writeToken(token: string): boolean {
  setCookie(token, HOURS_48_S);
  const isKept = cookieValues().includes(token);
  if (isKept) {
    remember(token);
    otherTabs?.postMessage(token);
  }
  return isKept;
}

/** Removes the cookie. */
export function clearToken(): void {
  const wasThere = own !== "";
  setCookie("", 0);
  remember("");
  if (wasThere) otherTabs?.postMessage("");
}
