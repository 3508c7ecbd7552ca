/** Joining with a printed card: with its link, or with the team's name and the card's code. */
import { useMutation } from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import { postJoin } from "../../api/calls";
import { ApiError, failureOf } from "../../api/client";
import { useSessionActions } from "../../api/session";
import { useMessages } from "../../messages/language";
import { Redirect, useHash } from "../../navigate";
import { Field, Form, formText } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { useNotify } from "../../ui/notification/notification";
import { NewPasswordField } from "./new-password";

const CHALLENGES = "/challenge";

/** Error code of a card that is wrong, used or void. */
const VOID = "link_invalid";

type Card = Parameters<typeof postJoin>[0];

/** The token of the card's link. It leaves the address bar and the history at once. */
function useCardToken(): string {
  const token = useHash();
  useLayoutEffect(() => {
    const { hash, pathname, search } = window.location;
    if (hash !== "") window.history.replaceState(window.history.state, "", pathname + search);
  });
  return token;
}

function isVoid(error: unknown): boolean {
  return error instanceof ApiError && error.code === VOID;
}

function useJoin() {
  const { logIn, logOut } = useSessionActions();
  const { notify, clear } = useNotify();
  return useMutation({
    mutationFn: async (card: Card) => {
      const token = await postJoin(card);
      // Another team may be logged in. Its session on the server may have ended already.
      await logOut().catch(() => undefined);
      await logIn(token);
    },
    // Fail immediately when offline. The card stays valid.
    networkMode: "always",
    onMutate: () => clear(),
    onError: (error) => isVoid(error) || notify("error", failureOf(error)),
  });
}

/** Form for the new password. Without a link's token, it also asks for the team and the code. */
function CardForm({ token }: { token: string }) {
  const { account } = useMessages();
  const join = useJoin();
  const isLink = token !== "";
  if (join.isSuccess) return <Redirect to={CHALLENGES} />;
  if (isLink && isVoid(join.error)) return <p role="alert">{account.joinVoid}</p>;
  function submit(form: HTMLFormElement) {
    const password = formText(form, "password");
    const typed = { team: formText(form, "team"), code: formText(form, "code") };
    join.mutate(isLink ? { token, password } : { ...typed, password });
  }
  return (
    <Form onSubmit={submit} onInput={() => join.isError && join.reset()}>
      <p>{account.joinNote}</p>
      {!isLink && (
        <>
          <Field label={account.team} name="team" autoComplete="username" autoFocus required />
          <Field
            label={account.joinCode}
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            fault={isVoid(join.error) ? account.joinWrong : null}
            announced
            required
          />
        </>
      )}
      <NewPasswordField autoFocus={isLink} />
      <button type="submit" disabled={join.isPending}>
        {account.joinButton}
      </button>
    </Form>
  );
}

export default function JoinPage() {
  const { account } = useMessages();
  const token = useCardToken();
  return (
    <FormPage title={account.joinTitle} below={<a href="/login">{account.backToLogin}</a>}>
      <CardForm key={token} token={token} />
    </FormPage>
  );
}
