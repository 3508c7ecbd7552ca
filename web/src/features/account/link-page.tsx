/** The page of an emailed link. It requires a click, since email scanners open links. */
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
  /** Content that replaces the button after the link was used. */
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
      {/* biome-ignore lint/a11y/noAutofocus: this button is the page's only purpose. */}
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

/** A link to the next page. */
export function NextLink({ href, name }: { href: string; name: string }) {
  return (
    // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that had the focus.
    <a href={href} className="button button-primary" autoFocus>
      {name}
    </a>
  );
}
