/** Account page of the logged-in organizer; for owners also the list of organizers. */
import { useMutation } from "@tanstack/react-query";
import { codeOf, type Me, postSignOut } from "../../api/organize";
import { useOrganizeMessages, wordFor } from "../../messages/organize/words";
import { go } from "../../navigate";
import { Loading } from "../../ui/loading/loading";
import styles from "./account.module.css";
import { useShowError } from "./fault";
import { useAllChallenges } from "./frame/queries";
import { Organizers } from "./organizers";
import { useMe, useSessions } from "./queries";
import { ErrorWithRetry } from "./query-content";
import { Roles } from "./roles";
import { SecondFactor } from "./second-factor";
import { SIGN_IN, useGate } from "./second-factor-gate";
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
    <header className={styles.head}>
      <div>
        <h1>
          <bdi>{me.name}</bdi>
        </h1>
        <p className="org-note">
          <Roles roles={me.roles} />
        </p>
      </div>
      <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
        {account.signOut}
      </button>
    </header>
  );
}

/** The challenges of an author. */
function Own({ ids }: { ids: readonly string[] }) {
  const { account } = useOrganizeMessages();
  const challenges = useAllChallenges().data ?? [];
  const nameOf = (id: string) => challenges.find((one) => one.id === id)?.challengeName ?? id;
  return (
    <p>
      {account.challenges}: <bdi>{ids.map(nameOf).join(", ")}</bdi>
    </p>
  );
}

/** Permissions by topic: the part of an action's name before the dot. */
function topicsOf(actions: readonly string[], known: Readonly<Record<string, string>>) {
  const topics = new Map<string, string[]>();
  for (const action of actions) {
    const name = action.split(".")[0] ?? "";
    const topic = Object.hasOwn(known, name) ? name : "";
    topics.set(topic, [...(topics.get(topic) ?? []), action]);
  }
  const order = [...Object.keys(known), ""];
  return [...topics].toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

function Permissions({ me }: { me: Me }) {
  const words = useOrganizeMessages();
  const { permissions, topics, other } = words.manage.account;
  return (
    <details className={styles.permissions}>
      <summary>
        <h2>{permissions(me.actions.length)}</h2>
      </summary>
      {me.challenges.length > 0 && <Own ids={me.challenges} />}
      <div className={styles.topics}>
        {topicsOf(me.actions, topics).map(([topic, actions]) => (
          <section key={topic}>
            <h3>{topic === "" ? other : topics[topic]}</h3>
            <ul>
              {actions.map((action) => (
                <li key={action}>{wordFor(words.actions, action)}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </details>
  );
}

export default function AccountPage() {
  const words = useOrganizeMessages();
  const me = useMe();
  const { data: sessions, error, refetch } = useSessions();
  if (sessions) {
    return (
      <div className={styles.account}>
        <Head me={me} />
        <div className={styles.cards}>
          <SecondFactor me={me} />
          <Sessions sessions={sessions} />
        </div>
        <Permissions me={me} />
        {me.actions.includes("organizer.list") && <Organizers />}
      </div>
    );
  }
  if (!error || codeOf(error) === "login_needed") return <Loading label={words.loading} />;
  return (
    <div className={styles.account}>
      <h1>{words.signIn.title}</h1>
      <ErrorWithRetry error={error} onRetry={() => void refetch()} />
    </div>
  );
}
