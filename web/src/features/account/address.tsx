/** The page of the link that confirms a team's new email address. */
import { postAddress } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { LinkPage, NextLink } from "./link-page";

export default function AddressPage() {
  const { own } = useMessages();
  return (
    <LinkPage
      title={own.addressTitle}
      send={postAddress}
      note={own.addressNote}
      button={own.addressButton}
      next={() => <NextLink href="/account" name={own.title} />}
    />
  );
}
