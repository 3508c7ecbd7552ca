/** The code that sets a team's new password: it stays in the team's panel until it is closed. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useCodes } from "../change/acting";
import { CopyButton } from "../copy-button";

export function TeamCode({ team }: { team: string }) {
  const { teams: words, list } = useOrganizeMessages().pages;
  const { codes, close } = useCodes();
  const code = codes.find((one) => one.team === team)?.code;
  if (code === undefined) return <div role="status" />;
  const address = new URL("/reset", window.location.origin).href;
  return (
    <div role="status">
      <section aria-label={words.code} className="org-card org-code">
        <p>{words.codeNote}</p>
        <p>
          <code>{code}</code>
        </p>
        <p>
          {words.codeAddress} <bdi>{address}</bdi>
        </p>
        <CopyButton text={code} label={words.copyCode}>
          <button type="button" onClick={() => close(code)}>
            {list.close}
          </button>
        </CopyButton>
      </section>
    </div>
  );
}
