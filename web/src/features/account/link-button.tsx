/** The button of a mailed link. A click is needed, since mail scanners open links. */
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Form } from "../../ui/field/field";
import { useOutcome } from "./outcome";

interface LinkButtonProps<Answer> {
  token: string;
  send: (token: string) => Promise<Answer>;
  note: string;
  button: string;
  /** What takes the place of the button when the link was used. */
  next: (answer: Answer) => ReactNode;
}

export function LinkButton<Answer extends { message: string }>(props: LinkButtonProps<Answer>) {
  const { token, send, note, button, next } = props;
  const outcome = useOutcome();
  const used = useMutation({ mutationFn: send, ...outcome });
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

/** Where to go next. */
export function NextLink({ href, name }: { href: string; name: string }) {
  return (
    // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that had the focus.
    <a href={href} className="button button-primary" autoFocus>
      {name}
    </a>
  );
}
