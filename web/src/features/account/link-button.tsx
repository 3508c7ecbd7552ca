/** The button of a mailed link. A click is needed, since mail scanners open links. */
import { useMutation } from "@tanstack/react-query";
import { useOutcome } from "./outcome";

interface LinkButtonProps {
  token: string;
  send: (token: string) => Promise<{ message: string }>;
  note: string;
  button: string;
  /** Where to go next, and its name. */
  next: [href: string, name: string];
}

export function LinkButton({ token, send, note, button, next: [href, name] }: LinkButtonProps) {
  const outcome = useOutcome();
  const used = useMutation({ mutationFn: send, ...outcome });
  if (used.isSuccess) {
    return (
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that had the focus.
      <a href={href} className="button button-primary" autoFocus>
        {name}
      </a>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        used.mutate(token);
      }}
    >
      <p>{note}</p>
      {/* biome-ignore lint/a11y/noAutofocus: the page is for this button alone. */}
      <button type="submit" disabled={used.isPending} autoFocus>
        {button}
      </button>
    </form>
  );
}
