/** The account of the organizer who is signed in; for owners also the list of organizers. */
import { useMutation } from "@tanstack/react-query";
import { codeOf, type Me, postSignOut } from "../../api/organize";
import { useOrganizeMessages, wordFor } from "../../messages/organize/words";
import { go } from "../../navigate";
import { Loading } from "../../ui/loading/loading";
import { useShowError } from "./fault";
import { SIGN_IN, useGate } from "./gate";
import styles from "./organize.module.css";
import { Organizers } from "./organizers";
import { useMe, useSessions } from "./queries";
import { Failed } from "./refused";
import { Roles } from "./roles";
import { SecondFactor } from "./second-factor";
import { Sessions } from "./sessions";

function Head({ me }: { me: Me }) {
  const { account } = useOrganizeMessages();
  const run = useGate();
  const signOut = useMutation({
    mutationFn: () => run(postSignOut),
    onSuccess: () => go(SIGN_IN),
    onError: useShowError(),
  });
  return (
    <header className={`${styles.row} ${styles.spread}`}>
      <div>
        <h1>
          <bdi>{me.name}</bdi>
        </h1>
        <p className={styles.muted}>
          <Roles roles={me.roles} />
        </p>
      </div>
      <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
        {account.signOut}
      </button>
    </header>
  );
}

function Actions({ me }: { me: Me }) {
  const words = useOrganizeMessages();
  return (
    <section className={`${styles.card} ${styles.stack}`}>
      <h2>{words.account.actionsTitle}</h2>
      <ul>
        {me.actions.map((action) => (
          <li key={action}>{wordFor(words.actions, action)}</li>
        ))}
      </ul>
      {me.challenges.length > 0 && (
        <p>
          {words.account.challenges}: {me.challenges.join(", ")}
        </p>
      )}
    </section>
  );
}

export default function AccountPage() {
  const words = useOrganizeMessages();
  const me = useMe().data;
  const { data: sessions, error, refetch } = useSessions();
  if (me && sessions) {
    return (
      <div className={`${styles.page} ${styles.stack}`}>
        <Head me={me} />
        <Actions me={me} />
        <SecondFactor me={me} />
        <Sessions sessions={sessions} />
        {me.actions.includes("organizer.list") && <Organizers />}
      </div>
    );
  }
  if (!error || codeOf(error) === "login_needed") return <Loading label={words.loading} />;
  return (
    <div className={`${styles.page} ${styles.stack}`}>
      <h1>{words.signIn.title}</h1>
      <Failed error={error} onRetry={() => void refetch()} />
    </div>
  );
}
