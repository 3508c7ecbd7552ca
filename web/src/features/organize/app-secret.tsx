/** The secret of the second factor, for an authenticator app: as a QR code, a link and a text. */
import { encode } from "uqr";
import { useOrganizeMessages } from "../../messages/organize/words";
import { CopyButton } from "./copy-button";
import styles from "./organize.module.css";

/** The white edge that the standard asks for, in modules. */
const EDGE = 4;

/** A QR code, always dark on white: not every scanner reads it the other way round. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: "M", border: EDGE });
  const squares = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={styles.qr}
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={squares.join("")} fill="#000" />
    </svg>
  );
}

export function AppSecret({ secret, uri }: { secret: string; uri: string }) {
  const { app } = useOrganizeMessages();
  return (
    <div className={styles.stack}>
      <p>{app.note}</p>
      <QrCode text={uri} label={app.qrCode} />
      <a href={uri} className="button">
        {app.open}
      </a>
      <p>{app.secret}</p>
      <code className={styles.code}>{secret.replace(/.{4}(?=.)/g, "$& ")}</code>
      <CopyButton text={secret} label={app.copySecret} />
    </div>
  );
}
