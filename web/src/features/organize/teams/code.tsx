/** Password reset code of a team, shown until closed. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { type TeamCode as CodeOf, useActionDialog } from "../change/action-dialog";
import { CopyButton } from "../copy-button";
import styles from "./teams.module.css";

function Code({ team, code, isNamed }: CodeOf & { isNamed: boolean }) {
  const { teams: words, list } = useOrganizeMessages().pages;
  const { closeCode } = useActionDialog();
  const address = new URL("/reset", window.location.origin).href;
  const title = isNamed ? words.codeOf(team) : words.code;
  return (
    <section aria-label={title} className={styles.code}>
      {isNamed && <h3>{title}</h3>}
      <p className="org-note">{words.codeNote}</p>
      <code>{code}</code>
      <p>
        {words.codeAddress} <bdi>{address}</bdi>
      </p>
      <CopyButton text={code} label={words.copyCode}>
        <button type="button" onClick={() => closeCode(code)}>
          {list.close}
        </button>
      </CopyButton>
    </section>
  );
}

export function TeamCode({ team }: { team: string }) {
  const code = useActionDialog().codes.find((one) => one.team === team)?.code;
  return (
    <div role="status" className={styles.live}>
      {code !== undefined && <Code team={team} code={code} isNamed={false} />}
    </div>
  );
}

/** Codes of teams whose panel is not open, such as a new test team. */
export function OtherCodes({ open }: { open: string }) {
  const others = useActionDialog().codes.filter(({ team }) => team !== open);
  return (
    <div role="status" className={styles.codes}>
      {others.map((one) => (
        <Code key={one.code} {...one} isNamed />
      ))}
    </div>
  );
}
