/**
 * The page behind the mailed link. It needs a click, since mail scanners follow links by
 * themselves.
 */
import { useMutation } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { postConfirm, postResend } from "../../api/calls";
import { FormPage } from "../../ui/form-page";
import { EmailForm } from "./email-form";
import { useOutcome } from "./outcome";

function ConfirmButton({ token }: { token: string }) {
  const outcome = useOutcome();
  const confirm = useMutation({ mutationFn: postConfirm, ...outcome });
  if (confirm.isSuccess) {
    return (
      <Link to="/login" className="button button-primary">
        Login
      </Link>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate(token);
      }}
    >
      <p>One click and your team is in.</p>
      <button type="submit" disabled={confirm.isPending}>
        Confirm the e-mail
      </button>
    </form>
  );
}

export default function ConfirmPage() {
  const token = useLocation({ select: ({ hash }) => hash });
  if (token !== "") {
    return (
      <FormPage title="Confirm your e-mail">
        <ConfirmButton key={token} token={token} />
      </FormPage>
    );
  }
  return (
    <FormPage title="Confirmation mail" below={<Link to="/login">Back to login</Link>}>
      <EmailForm send={postResend} button="Send it again" />
    </FormPage>
  );
}
