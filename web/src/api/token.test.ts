/** The token cookie among cookies of the same name planted by other hosts of the domain. */
import { beforeEach, expect, test, vi } from "vitest";

/** A cookie of https://ctf.ev.test; the site's own cookies have `null` as domain. */
interface Cookie {
  pair: string;
  domain: string | null;
  path: string;
}

/** Cookie jar like a browser's: unique by name, domain and path; longer paths first, then older. */
let jar: Cookie[];
/** All cookies written by the site. */
let written: string[];
/** Runs after each write, to act as another tab or host. */
let afterWrite: () => void;

function put({ pair, domain, path }: Cookie, isExpired = false) {
  const [name] = pair.split("=", 1);
  const isSame = (it: Cookie) =>
    it.pair.split("=", 1)[0] === name && it.domain === domain && it.path === path;
  const old = jar.find(isSame);
  if (isExpired) jar = jar.filter((it) => it !== old);
  else if (old) old.pair = pair;
  else jar.push({ pair, domain, path });
}

const own = (value: string): Cookie => ({ pair: `apitoken=${value}`, domain: null, path: "/" });
const planted = (value: string, path = "/"): Cookie => ({
  pair: `apitoken=${value}`,
  domain: "ev.test",
  path,
});

/** Loads the module as a newly opened page would. */
async function openPage() {
  vi.resetModules();
  return import("./token");
}

/** Value of the site's own cookie, or null. */
function kept(): string | null {
  const cookie = jar.find((it) => it.domain === null && it.path === "/");
  return cookie?.pair.slice("apitoken=".length) ?? null;
}

beforeEach(() => {
  jar = [];
  written = [];
  afterWrite = () => {};
  vi.spyOn(document, "cookie", "get").mockImplementation(() => {
    const sorted = jar.toSorted((a, b) => b.path.length - a.path.length);
    return sorted.map((cookie) => cookie.pair).join("; ");
  });
  vi.spyOn(document, "cookie", "set").mockImplementation((text) => {
    const [pair = "", age, ...others] = text.split("; ");
    expect(others).toEqual(["Path=/", "SameSite=Strict", "Secure"]);
    written.push(`${pair}; ${age}`);
    put({ pair, domain: null, path: "/" }, age === "Max-Age=0");
    afterWrite();
  });
});

test("without a cookie there is no token, and none is written", async () => {
  put({ pair: "other=apitoken=fsp_mine", domain: null, path: "/" });
  put({ pair: "apitoken2=fsp_mine", domain: null, path: "/" });
  const { readToken } = await openPage();
  expect(readToken()).toBe("");
  expect(written).toEqual([]);
});

test("the only cookie is the token; the search runs once", async () => {
  put(own("fsp_mine=="));
  const { readToken } = await openPage();
  expect(readToken()).toBe("fsp_mine==");
  expect(readToken()).toBe("fsp_mine==");
  expect(written).toEqual(["apitoken=; Max-Age=0", "apitoken=fsp_mine==; Max-Age=172800"]);
});

test("a planted cookie alone is not a token and is never written back", async () => {
  put(planted("fsp_theirs"));
  const { readToken } = await openPage();
  expect(readToken()).toBe("");
  const looks = written.length;
  expect(readToken()).toBe("");
  expect(written).toHaveLength(looks);
  expect(kept()).toBeNull();
  expect(jar).toEqual([planted("fsp_theirs")]);
});

const MIXTURES: [string, Cookie[]][] = [
  ["before the own one", [planted("fsp_theirs"), own("fsp_mine")]],
  ["after the own one", [own("fsp_mine"), planted("fsp_theirs")]],
  ["at a longer path", [own("fsp_mine"), planted("fsp_theirs", "/challenge")]],
  ["twice", [planted("fsp_theirs"), own("fsp_mine"), planted("fsp_theirs", "/challenge")]],
  ["without a value", [planted(""), own("fsp_mine")]],
  ["with the value of the own one", [planted("fsp_mine"), own("fsp_mine")]],
  ["as another system's JWT", [planted("eyJhbGciOi"), own("fsp_mine")]],
];

test.each(MIXTURES)("a cookie planted %s changes nothing", async (_, cookies) => {
  for (const cookie of cookies) put(cookie);
  const { readToken, clearToken } = await openPage();
  expect(readToken()).toBe("fsp_mine");
  expect(kept()).toBe("fsp_mine");
  const looks = written.length;
  expect(readToken()).toBe("fsp_mine");
  expect(written).toHaveLength(looks);
  clearToken();
  expect(readToken()).toBe("");
  expect(kept()).toBeNull();
  expect(jar).toHaveLength(cookies.length - 1);
});

test.each(["/", "/challenge"])("a login succeeds despite a cookie planted at %s", async (path) => {
  put(planted("fsp_theirs", path));
  const { readToken, writeToken } = await openPage();
  expect(readToken()).toBe("");
  const looks = written.length;
  expect(writeToken("fsp_mine")).toBe(true);
  expect(readToken()).toBe("fsp_mine");
  expect(written.slice(looks)).toEqual(["apitoken=fsp_mine; Max-Age=172800"]);
  expect(writeToken("fsp_next")).toBe(true);
  expect(readToken()).toBe("fsp_next");
  const next = await openPage();
  expect(next.readToken()).toBe("fsp_next");
});

test("a browser that rejects the cookie keeps no login", async () => {
  afterWrite = () => put(own(""), true);
  const { readToken, writeToken } = await openPage();
  expect(writeToken("fsp_mine")).toBe(false);
  expect(readToken()).toBe("");
  put(planted("fsp_theirs"));
  expect(writeToken("fsp_mine")).toBe(false);
  expect(readToken()).toBe("");
});

test("another system's JWT in the own cookie is not a token, and survives", async () => {
  put(own("eyJhbGciOi"));
  const { readToken } = await openPage();
  expect(readToken()).toBe("");
  expect(written).toEqual([]);
  put(planted("fsp_theirs"));
  expect(readToken()).toBe("");
  expect(kept()).toBe("eyJhbGciOi");
});

test("an empty own cookie beside a planted one is not a token", async () => {
  put(own(""));
  put(planted("fsp_theirs"));
  const { readToken } = await openPage();
  expect(readToken()).toBe("");
});

test("a login and a logout in another tab are detected", async () => {
  put(planted("fsp_theirs"));
  const { readToken } = await openPage();
  expect(readToken()).toBe("");
  put(own("fsp_mine"));
  expect(readToken()).toBe("fsp_mine");
  put(own("fsp_next"));
  expect(readToken()).toBe("fsp_next");
  put(own(""), true);
  expect(readToken()).toBe("");
});

test("a concurrent search in another tab does not hide the own cookie", async () => {
  put(own("fsp_mine"));
  afterWrite = () => {
    afterWrite = () => {};
    put(own("fsp_mine"));
  };
  const { readToken } = await openPage();
  expect(readToken()).toBe("fsp_mine");
  expect(kept()).toBe("fsp_mine");
});

test("a planted cookie that is removed and planted again is not taken as the own one", async () => {
  put(own("fsp_mine"));
  put(planted("fsp_theirs"));
  const { readToken } = await openPage();
  expect(readToken()).toBe("fsp_mine");
  const looks = written.length;
  put(planted("fsp_theirs"), true);
  expect(readToken()).toBe("fsp_mine");
  put(planted("fsp_others"));
  expect(readToken()).toBe("fsp_mine");
  expect(written).toHaveLength(looks);
  // Removed during the search: the own cookie can no longer be identified.
  afterWrite = () => put(planted(""), true);
  const next = await openPage();
  expect(next.readToken()).toBe("");
});
