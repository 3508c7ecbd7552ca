/** The attachments of a challenge, with size and SHA-256, and the connection info. */
import type { Challenge } from "../../api/calls";
import { sizeOf } from "../../domain/bytes";
import { isWebAddress } from "../../domain/description";
import { useMessages } from "../../messages/language";
import { CopyButton } from "../../ui/copy/copy";
import { DownloadIcon } from "../../ui/icons/icons";
import styles from "./attachments.module.css";

/** Number of digits shown: enough to compare two files by eye. The button copies all digits. */
const DIGEST_SHOWN = 12;

function Size({ bytes }: { bytes: number }) {
  const { locale } = useMessages();
  const { value, unit } = sizeOf(bytes);
  const format = new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    // In English the short form of bytes has no plural.
    unitDisplay: unit === "byte" ? "long" : "short",
    maximumSignificantDigits: 3,
  });
  return <span>{format.format(value)}</span>;
}

export function Attachments({ attachments }: Pick<Challenge, "attachments">) {
  const { challenges: words } = useMessages();
  if (attachments.length === 0) return null;
  return (
    <ul className={styles.attachments} aria-label={words.attachments}>
      {attachments.map(({ name, link, bytes, sha256 }) => (
        <li key={link} className="row">
          <a href={link} download className="button">
            <DownloadIcon />
            {name}
          </a>
          <span className={styles.about}>
            <Size bytes={bytes} />
            <span className={styles.digest}>
              SHA-256 <code title={sha256}>{sha256.slice(0, DIGEST_SHOWN)}…</code>
            </span>
            <CopyButton text={sha256} label={words.copyDigest(name)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The connection info; web addresses become links. */
export function Connection({ connection }: { connection: string }) {
  const { challenges: words } = useMessages();
  const text = connection.trim();
  return (
    <div className={styles.connection}>
      <p className={styles.title}>{words.connection}</p>
      <CopyButton text={text} label={words.copyConnection} />
      {isWebAddress(text) ? (
        <a href={text} target="_blank" rel="noopener noreferrer">
          {text}
        </a>
      ) : (
        <code>{text}</code>
      )}
    </div>
  );
}
