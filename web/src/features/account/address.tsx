/** The page of the link that makes an address a team's. */
import { postAddress } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { useHash } from "../../navigate";
import { FormPage } from "../../ui/form-page/form-page";
import { LinkButton, NextLink } from "./link-button";

export default function AddressPage() {
  const { account, own } = useMessages();
  const token = useHash();
  return (
    <FormPage title={own.addressTitle}>
      {token === "" ? (
        <p>{account.stopMissing}</p>
      ) : (
        <LinkButton
          key={token}
          token={token}
          send={postAddress}
          note={own.addressNote}
          button={own.addressButton}
          next={() => <NextLink href="/account" name={own.title} />}
        />
      )}
    </FormPage>
  );
}
