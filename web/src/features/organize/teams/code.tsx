/** The code that sets a team's new password: it stays until it is closed. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { type TeamCode as CodeOf, useActing } from "../change/acting";
import { CopyButton } from "../copy-button";

function Code({ team, code, isNamed }: CodeOf & { isNamed: boolean }) {
  const { teams: words, list } = useOrganizeMessages().pages;
  const { closeCode } = useActing();
  const address = new URL("/reset", window.location.origin).href;
  const title = isNamed ? words.codeOf(team) : words.code;
  return (
    <section aria-label={title} className="org-card org-code">
      {isNamed && <h3>{title}</h3>}
      <p>{words.codeNote}</p>
      <p>
        <code>{code}</code>
      </p>
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
  const code = useActing().codes.find((one) => one.team === team)?.code;
  return (
    <div role="status">
      {code !== undefined && <Code team={team} code={code} isNamed={false} />}
    </div>
  );
}

/** The codes of the teams whose panel is not open, such as that of a test team. */
export function OtherCodes({ open }: { open: string }) {
  const others = useActing().codes.filter(({ team }) => team !== open);
  return (
    <div role="status">
      {others.map((one) => (
        <Code key={one.code} {...one} isNamed />
      ))}
    </div>
  );
}
