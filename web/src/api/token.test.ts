/** The token among cookies of the same name that other hosts of the domain have planted. */
import { beforeEach, expect, test, vi } from "vitest";

/** The site is at https://ctf.ev.test; `null` is the domain of its own cookies. */
interface Cookie {
  pair: string;
  domain: string | null;
  path: string;
}

/** As a browser's: one cookie for a name, domain and path, longer paths first, then older ones. */
let jar: Cookie[];
/** All that the site has written. */
let written: string[];
/** Runs after each write of the site, as other tabs and hosts may. */
let meanwhile: () => void;

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

/** The module as a newly opened page has it. */
async function openPage() {
  vi.resetModules();
  return import("./token");
}

/** The value of the own cookie; null without one. */
function kept(): string | null {
  const cookie = jar.find((it) => it.domain === null && it.path === "/");
  return cookie?.pair.slice("apitoken=".length) ?? null;
}

beforeEach(() => {
  jar = [];
  written = [];
  meanwhile = () => {};
  vi.spyOn(document, "cookie", "get").mockImplementation(() => {
    const sorted = jar.toSorted((a, b) => b.path.length - a.path.length);
    return sorted.map((cookie) => cookie.pair).join("; ");
  });
  vi.spyOn(document, "cookie", "set").mockImplementation((text) => {
    const [pair = "", age, ...others] = text.split("; ");
    expect(others).toEqual(["Path=/", "SameSite=Strict", "Secure"]);
    written.push(`${pair}; ${age}`);
    put({ pair, domain: null, path: "/" }, age === "Max-Age=0");
    meanwhile();
  });
});

test("without a cookie there is no token, and none is written", async () => {
  put({ pair: "other=apitoken=fsp_mine", domain: null, path: "/" });
  put({ pair: "apitoken2=fsp_mine", domain: null, path: "/" });
  const { readToken } = await openPage();
  expect(readToken()).toBe("");
  expect(written).toEqual([]);
});

test("the own cookie alone is the token; it is looked for once", async () => {
  put(own("fsp_mine=="));
  const { readToken } = await openPage();
  expect(readToken()).toBe("fsp_mine==");
  expect(readToken()).toBe("fsp_mine==");
  expect(written).toEqual(["apitoken=; Max-Age=0", "apitoken=fsp_mine==; Max-Age=172800"]);
});

test("a planted cookie alone is no token; nothing of it is written", async () => {
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

test.each(["/", "/challenge"])("a login succeeds beside a cookie planted at %s", async (path) => {
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

test("a browser that refuses the cookie keeps no login", async () => {
  meanwhile = () => put(own(""), true);
  const { readToken, writeToken } = await openPage();
  expect(writeToken("fsp_mine")).toBe(false);
  expect(readToken()).toBe("");
  put(planted("fsp_theirs"));
  expect(writeToken("fsp_mine")).toBe(false);
  expect(readToken()).toBe("");
});

test("another system's JWT in the own cookie is no token, and survives", async () => {
  put(own("eyJhbGciOi"));
  const { readToken } = await openPage();
  expect(readToken()).toBe("");
  expect(written).toEqual([]);
  put(planted("fsp_theirs"));
  expect(readToken()).toBe("");
  expect(kept()).toBe("eyJhbGciOi");
});

test("an empty own cookie beside a planted one is no token", async () => {
  put(own(""));
  put(planted("fsp_theirs"));
  const { readToken } = await openPage();
  expect(readToken()).toBe("");
});

test("a login and a logout in another tab are seen", async () => {
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

test("a tab that looks at the same time does not hide the own cookie", async () => {
  put(own("fsp_mine"));
  meanwhile = () => {
    meanwhile = () => {};
    put(own("fsp_mine"));
  };
  const { readToken } = await openPage();
  expect(readToken()).toBe("fsp_mine");
  expect(kept()).toBe("fsp_mine");
});

test("a planted cookie that is removed and planted again is no own one", async () => {
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
  // Removed while the site looks: which of the two was its own cannot be told.
  meanwhile = () => put(planted(""), true);
  const next = await openPage();
  expect(next.readToken()).toBe("");
});
