/** The team's own account: progress, sessions, address, password, people and country. */
import { useMemo } from "react";
import { loginAddress, teamAddress } from "../../../addresses";
import type { Account } from "../../../api/calls";
import { useAccount, useLive } from "../../../api/queries";
import { useSession } from "../../../api/session";
import { ownRow, progressOf } from "../../../domain/challenges";
import { useMessages } from "../../../messages/language";
import { Redirect } from "../../../navigate";
import { CategoryProgress } from "../../../ui/category-progress/category-progress";
import { Pending } from "../../../ui/loading/loading";
import { Card } from "./card";
import { Country } from "./country";
import { Email } from "./email";
import { Members } from "./members";
import styles from "./own.module.css";
import { Password } from "./password";
import { Sessions } from "./sessions";

function Progress({ team }: { team: string }) {
  const { own: words, challenges } = useMessages();
  const { board } = useLive();
  const rows = useMemo(() => board && progressOf(board, ownRow(board, team)), [board, team]);
  return (
    <Card title={words.progress}>
      {rows?.length === 0 && <p>{challenges.atTheStart}</p>}
      <ul className={styles.rows}>
        {rows?.map(({ category, solved, all }) => (
          <li key={category}>
            <CategoryProgress category={category} solved={solved} all={all} as="h3" />
          </li>
        ))}
      </ul>
      <p>
        <a href={teamAddress(team)}>{words.publicPage}</a>
      </p>
    </Card>
  );
}

function Cards({ own }: { own: Account }) {
  return (
    <div className={styles.cards}>
      <Progress team={own.teamName} />
      <Sessions sessions={own.sessions} />
      <Email own={own} />
      <Password team={own.teamName} />
      {(own.membersMax > 0 || own.members.length > 0) && <Members own={own} />}
      <Country country={own.country} />
    </div>
  );
}

export default function AccountPage() {
  const { own: words } = useMessages();
  const { team, known } = useSession();
  const account = useAccount(team !== null);
  if (known && team === null) return <Redirect to={loginAddress("/account")} />;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{words.title}</h1>
        {team !== null && (
          <p className={styles.value}>
            <bdi>{team}</bdi>
          </p>
        )}
      </header>
      {account.data && <Cards own={account.data} />}
      <Pending query={account} label={words.loading} />
    </div>
  );
}
