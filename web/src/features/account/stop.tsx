/** The page of the link that stops the change of an address. */
import { postStop } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { useHash } from "../../navigate";
import { FormPage } from "../../ui/form-page/form-page";
import { LinkButton, NextLink } from "./link-button";

export default function StopPage() {
  const { account } = useMessages();
  const token = useHash();
  return (
    <FormPage title={account.stopTitle}>
      {token === "" ? (
        <p>{account.stopMissing}</p>
      ) : (
        <LinkButton
          key={token}
          token={token}
          send={postStop}
          note={account.stopNote}
          button={account.stopButton}
          next={() => <NextLink href="/reset" name={account.resetTitle} />}
        />
      )}
    </FormPage>
  );
}
