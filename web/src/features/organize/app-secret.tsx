/** Secret for an authenticator app: a QR code, or on a phone a link, or the key as text. */
import { useOrganizeMessages } from "../../messages/organize/words";
import { QrCode } from "../../ui/qr-code/qr-code";
import styles from "./app-secret.module.css";
import { CopyButton } from "./copy-button";

export function AppSecret({ secret, uri }: { secret: string; uri: string }) {
  const { app } = useOrganizeMessages();
  return (
    <div className={styles.app}>
      <p>{app.note}</p>
      <QrCode text={uri} label={app.qrCode} className={styles.qr} />
      <a href={uri} className={`button ${styles.link}`}>
        {app.open}
      </a>
      <div className={styles.key}>
        <p>{app.secret}</p>
        <code>{secret.replace(/.{4}(?=.)/g, "$& ")}</code>
        <CopyButton text={secret} label={app.copySecret} />
      </div>
    </div>
  );
}
