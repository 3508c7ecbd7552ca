/** The page of a mailed link. A click on its button is needed, since mail scanners open links. */
import type { ReactNode } from "react";
import { useMessages } from "../../messages/language";
import { useHash } from "../../navigate";
import { Form } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { useSending } from "./outcome";

interface LinkPageProps<Answer> {
  title: string;
  send: (token: string) => Promise<Answer>;
  note: string;
  button: string;
  /** What takes the place of the button when the link was used. */
  next: (answer: Answer) => ReactNode;
}

type LinkButtonProps<Answer> = Omit<LinkPageProps<Answer>, "title"> & { token: string };

function LinkButton<Answer extends { message: string }>(props: LinkButtonProps<Answer>) {
  const { token, send, note, button, next } = props;
  const used = useSending(send);
  if (used.isSuccess) return next(used.data);
  return (
    <Form onSubmit={() => used.mutate(token)}>
      <p>{note}</p>
      {/* biome-ignore lint/a11y/noAutofocus: the page is for this button alone. */}
      <button type="submit" disabled={used.isPending} autoFocus>
        {button}
      </button>
    </Form>
  );
}

export function LinkPage<Answer extends { message: string }>(props: LinkPageProps<Answer>) {
  const { title, ...link } = props;
  const { account } = useMessages();
  const token = useHash();
  return (
    <FormPage title={title}>
      {token === "" ? (
        <p>{account.stopMissing}</p>
      ) : (
        <LinkButton key={token} token={token} {...link} />
      )}
    </FormPage>
  );
}

/** Where to go next. */
export function NextLink({ href, name }: { href: string; name: string }) {
  return (
    // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that had the focus.
    <a href={href} className="button button-primary" autoFocus>
      {name}
    </a>
  );
}
