/** The page of the link that cancels a change of email address. */
import { postStop } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { LinkPage, NextLink } from "./link-page";

export default function StopPage() {
  const { account } = useMessages();
  return (
    <LinkPage
      title={account.stopTitle}
      send={postStop}
      note={account.stopNote}
      button={account.stopButton}
      next={() => <NextLink href="/reset" name={account.resetTitle} />}
    />
  );
}
