import { expect, test } from "vitest";
import { isWebAddress, withoutConnection } from "./description";

test("the connection info at the end is removed, in each form that the server writes", () => {
  const about = "<p>Talk to it.</p>";
  const rel = 'rel="noopener noreferrer nofollow"';
  for (const [connection, html] of [
    ["nc host 1337", "<p><code>nc host 1337</code></p>"],
    [" nc host 1337\n", "<p><code>nc host 1337</code></p>"],
    ["a && b <c>", "<p><code>a &amp;&amp; b &lt;c&gt;</code></p>"],
    ["&lt;", "<p><code>&amp;lt;</code></p>"],
    ["ssh a\nssh b", "<pre><code>ssh a\nssh b</code></pre>"],
    [
      "https://x.example/?a&b",
      `<p><a href="https://x.example/?a&amp;b" ${rel}>https://x.example/?a&amp;b</a></p>`,
    ],
  ] as const) {
    expect(withoutConnection(about + html, connection), connection).toBe(about);
  }
});

test("other text stays", () => {
  const html = "<p>Talk to <code>nc host 1337</code> and wait.</p>";
  expect(withoutConnection(html, "nc host 1337")).toBe(html);
  expect(withoutConnection("<p>nc host 1337</p><ul><li>x</li></ul>", "nc host 1337")).toContain(
    "nc host 1337",
  );
  expect(withoutConnection(html, null)).toBe(html);
  expect(withoutConnection("", "nc host 1337")).toBe("");
});

test("only a web address becomes a link", () => {
  expect(isWebAddress("https://x.example/a")).toBe(true);
  for (const text of ["nc host 1", "https://x.example/ or another", "javascript:alert(1)"]) {
    expect(isWebAddress(text), text).toBe(false);
  }
});
