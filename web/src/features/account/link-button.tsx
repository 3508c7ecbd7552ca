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
      <a href={href} className="button button-primary">
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
      <button type="submit" disabled={used.isPending}>
        {button}
      </button>
    </form>
  );
}
