/**
 * The page of the link that stops the change of an address. It needs a click, since mail scanners
 * open links.
 */
import { useMutation } from "@tanstack/react-query";
import { postStop } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { useHash } from "../../navigate";
import { FormPage } from "../../ui/form-page/form-page";
import { useOutcome } from "./outcome";

function StopButton({ token }: { token: string }) {
  const { account } = useMessages();
  const outcome = useOutcome();
  const stop = useMutation({ mutationFn: postStop, ...outcome });
  if (stop.isSuccess) {
    return (
      <a href="/reset" className="button button-primary">
        {account.resetTitle}
      </a>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        stop.mutate(token);
      }}
    >
      <p>{account.stopNote}</p>
      <button type="submit" disabled={stop.isPending}>
        {account.stopButton}
      </button>
    </form>
  );
}

export default function StopPage() {
  const { account } = useMessages();
  const token = useHash();
  return (
    <FormPage title={account.stopTitle}>
      {token === "" ? <p>{account.stopMissing}</p> : <StopButton key={token} token={token} />}
    </FormPage>
  );
}
