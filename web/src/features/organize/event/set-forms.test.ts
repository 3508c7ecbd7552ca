/** Values sent by the forms of the Event page, tested without the page. */
import { describe, expect, test } from "vitest";
import type { Settings } from "../../../api/organize-settings";
import { brandNow, brandOf } from "./brand/brand-form";
import { pageAction, pageNow } from "./page-form";
import { isWrong, nowOf, PARTS, settingsOf } from "./settings-form";

function settings(sections: Settings["sections"]): Settings {
  const none = { event: null, rules: null, rulesFromFiles: false };
  return { ...none, sections, secrets: {}, fixed: {}, pages: [] };
}

describe("settings", () => {
  const set = settings({
    registration: { open: true, password_min: 8, reserved_names: ["a", "b"], student_label: null },
  });
  const now = nowOf("registration", set);

  test("show their current values", () => {
    const shown = { open: true, password_min: "8", reserved_names: "a\nb", student_label: "" };
    expect(now).toMatchObject(shown);
  });
  test("only changes are sent, with the type of their key", () => {
    const typed = { ...now, open: false, password_min: " 10 ", reserved_names: " c \n\n d" };
    const changed = ["open", "password_min", "reserved_names"];
    expect(settingsOf("registration", typed, changed)).toEqual({
      open: false,
      password_min: 10,
      reserved_names: ["c", "d"],
    });
  });
  test("an empty number or text resets to the default, an empty list does not", () => {
    const typed = { ...now, password_min: " ", student_label: " ", reserved_names: "" };
    const changed = ["password_min", "student_label", "reserved_names"];
    expect(settingsOf("registration", typed, changed)).toEqual({
      password_min: null,
      student_label: null,
      reserved_names: [],
    });
  });
  test("times are shown and sent as ISO times, and an empty one removes the key", () => {
    const opens = Date.UTC(2026, 10, 23, 8);
    const shown = nowOf("registration", settings({ registration: { opens } }));
    expect(shown).toMatchObject({ opens: "2026-11-23T08:00:00.000Z", closes: "" });
    const typed = { ...shown, opens: "", closes: "2026-11-28T17:00:00.000Z" };
    expect(settingsOf("registration", typed, ["opens", "closes"])).toEqual({
      opens: null,
      closes: "2026-11-28T17:00:00.000Z",
    });
  });
  test("invalid and out-of-range numbers are not sent", () => {
    const part = PARTS.registration.find(({ key }) => key === "password_min");
    const wrong = (text: string) => part && isWrong(part, text);
    expect(["0", "129", "-1", "8.5", "x"].map(wrong)).toEqual([true, true, true, true, true]);
    expect(["1", "128", ""].map(wrong)).toEqual([false, false, false]);
    expect(settingsOf("registration", { ...now, password_min: "0" }, ["password_min"])).toBeNull();
  });
});

describe("texts of incorrect flags", () => {
  const now = (word: string) => nowOf("privacy", settings({ privacy: { keep_wrong_texts: word } }));

  test("are a checkbox for two values", () => {
    expect(now("never")).toMatchObject({ keep_wrong_texts: false });
    expect(now("until_end")).toMatchObject({ keep_wrong_texts: true });
    const sent = (value: boolean) =>
      settingsOf("privacy", { ...now("never"), keep_wrong_texts: value }, ["keep_wrong_texts"]);
    expect(sent(true)).toEqual({ keep_wrong_texts: "until_end" });
    expect(sent(false)).toEqual({ keep_wrong_texts: "never" });
  });
});

describe("branding", () => {
  const file = { digest: "d1", kind: "svg", size: null };
  const site = {
    banner: "Hi",
    logo: file,
    heading_font: { file },
    links: [{ name: "Blog", link: "https://a.example" }],
    sponsors: [{ name: "Harbour", link: null, tier: "Gold", logo: file }],
  };
  const now = brandNow(settings({ site }));

  test("has files by digest", () => {
    expect(now).toMatchObject({
      banner: "Hi",
      accent: "",
      logo: "d1",
      heading_font: "d1",
      hero: "",
    });
    expect(now.sponsors).toEqual([{ name: "Harbour", link: "", tier: "Gold", logo: "d1" }]);
    expect(brandNow(settings({ site: { heading_font: "mono" } })).heading_font).toBe("mono");
  });
  test("is sent in the format of event.toml, with uploads instead of paths", () => {
    const rows = [
      { name: " Crane ", link: "", tier: "", logo: "d2" },
      { name: "", link: " ", tier: "", logo: "" },
    ];
    const typed = {
      ...now,
      banner: " ",
      hero: "d3",
      logo: "",
      sponsors: rows,
      heading_font: "mono",
    };
    const changed = ["banner", "hero", "logo", "sponsors", "heading_font"];
    expect(brandOf(typed, changed)).toEqual({
      banner: null,
      hero: { digest: "d3" },
      logo: null,
      sponsors: [{ name: "Crane", logo: { digest: "d2" } }],
      heading_font: "JetBrains Mono",
    });
    expect(brandOf({ ...now, links: [], heading_font: "" }, ["links", "heading_font"])).toEqual({
      links: null,
      heading_font: null,
    });
  });
});

describe("a page", () => {
  const about = { slug: "about", title: "About", place: "footer", position: null, text: "# About" };

  test("is written completely, at its position", () => {
    const typed = { ...pageNow(about, "# "), place: "navigation", position: " 2 " };
    expect(pageAction("about", typed, [])?.fixed).toEqual({
      page: "about",
      text: "# About",
      place: "navigation",
      position: 2,
    });
  });
  test("has a unique name and a text", () => {
    const fresh = { ...pageNow(null, "# "), text: "# New" };
    expect(pageAction("new-1", fresh, [about])?.action).toBe("page.set");
    for (const slug of ["about", "", "New", "a b", "../x", "a".repeat(41)]) {
      expect(pageAction(slug, fresh, [about]), slug).toBeNull();
    }
    expect(pageAction("new", { ...fresh, text: " " }, [])).toBeNull();
    expect(pageAction("new", { ...fresh, position: "first" }, [])).toBeNull();
  });
});
