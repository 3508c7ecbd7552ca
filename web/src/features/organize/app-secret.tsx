/** The secret of the second factor, for an authenticator app: as a QR code, a link and a text. */
import { useOrganizeMessages } from "../../messages/organize/words";
import { CopyButton } from "./copy-button";
import styles from "./organize.module.css";
import { QrCode } from "./qr-code";

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
