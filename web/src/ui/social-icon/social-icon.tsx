/**
 * The icon of a social network, by the host of a link. The networks' icons are from Simple Icons
 * (CC0). Each is a file, fetched only if a link needs it.
 */
import styles from "./social-icon.module.css";

const files = import.meta.glob<string>("./*.svg", {
  query: "?url",
  import: "default",
  eager: true,
});

const HOSTS: readonly (readonly [pattern: RegExp, icon: string])[] = [
  [/(^|\.)(discord\.(com|gg)|discordapp\.com)$/, "discord"],
  [/(^|\.)(matrix\.(to|org)|element\.io)$/, "matrix"],
  [/(^|\.)(x|twitter)\.com$/, "x"],
  [/(^|\.)(t\.me|telegram\.(me|org))$/, "telegram"],
  [/(^|\.)bsky\.(app|social)$/, "bluesky"],
  [/(^|\.)github\.com$/, "github"],
  [/(^|\.)(youtube\.com|youtu\.be)$/, "youtube"],
];

/** The icon's name. Mastodon servers have any host, and profiles such as `/@name`. */
export function iconOf(address: string, otherwise = "globe"): string {
  if (!URL.canParse(address)) return otherwise;
  const { hostname, pathname } = new URL(address);
  const known = HOSTS.find(([pattern]) => pattern.test(hostname));
  if (known) return known[1];
  return /^\/@[^/]+\/?$/.test(pathname) ? "mastodon" : otherwise;
}

interface SocialIconProps {
  address: string;
  /** Icon for an unknown host. */
  otherwise?: "globe" | "chat";
}

export function SocialIcon({ address, otherwise }: SocialIconProps) {
  return (
    <svg className={styles.icon} aria-hidden="true" focusable="false">
      <use href={`${files[`./${iconOf(address, otherwise)}.svg`]}#icon`} />
    </svg>
  );
}
