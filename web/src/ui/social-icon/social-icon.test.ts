import { expect, test } from "vitest";
import { iconOf } from "./social-icon";

test.each([
  ["https://example.org/@harbour", "mastodon"],
  ["https://social.example/@harbour/", "mastodon"],
  ["https://discord.gg/abc", "discord"],
  ["https://www.discord.com/invite/abc", "discord"],
  ["https://matrix.to/#/#harbour:example.org", "matrix"],
  ["https://x.com/harbour", "x"],
  ["https://netflix.com/harbour", "globe"],
  ["https://t.me/harbour", "telegram"],
  ["https://bsky.app/profile/harbour", "bluesky"],
  ["https://github.com/harbour", "github"],
  ["https://www.youtube.com/@harbour", "youtube"],
  ["https://example.org/chat", "globe"],
  ["not an address", "globe"],
])("the icon of %s is %s", (address, icon) => {
  expect(iconOf(address)).toBe(icon);
});

test("a link can have another icon if its host is unknown", () => {
  expect(iconOf("https://example.org/chat", "chat")).toBe("chat");
  expect(iconOf("https://discord.gg/abc", "chat")).toBe("discord");
});
