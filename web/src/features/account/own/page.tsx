/** The team's own account: progress, sessions, email, password, members and country. */
import { useEffect, useMemo, useReducer } from "react";
import { loginAddress, teamAddress } from "../../../addresses";
import type { Account } from "../../../api/calls";
import { useAccount, useLive } from "../../../api/queries";
import { useSession } from "../../../api/session";
import { ownRow, progressOf } from "../../../domain/challenges";
import { useMessages } from "../../../messages/language";
import { Redirect } from "../../../navigate";
import { CategoryProgress } from "../../../ui/category-progress/category-progress";
import { Loading, Pending } from "../../../ui/loading/loading";
import { Pennant } from "../../../ui/pennant/pennant";
import { Card } from "./card";
import { Country } from "./country";
import { Divisions } from "./divisions";
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
    <Card
      title={words.progress}
      aside={
        <a href={teamAddress(team)} className="reach">
          {words.publicPage}
        </a>
      }
    >
      {rows?.length === 0 && <p>{challenges.atTheStart}</p>}
      <ul className={styles.progress}>
        {rows?.map(({ category, solved, all }) => (
          <li key={category}>
            <CategoryProgress category={category} solved={solved} all={all} as="h3" />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Cards({ own }: { own: Account }) {
  return (
    <div className={styles.cards}>
      <Progress team={own.teamName} />
      <div className={styles.column}>
        <Email own={own} />
        <Password team={own.teamName} />
      </div>
      <div className={styles.column}>
        {(own.membersMax > 0 || own.members.length > 0) && <Members own={own} />}
        <Country country={own.country} />
        <Divisions joined={own.divisions} />
        <Sessions sessions={own.sessions} />
      </div>
    </div>
  );
}

/** Time that the forms wait for the board. */
const BOARD_MS_MAX = 2000;

function useIsLate(): boolean {
  const [isLate, setLate] = useReducer(() => true, false);
  useEffect(() => {
    const timer = setTimeout(setLate, BOARD_MS_MAX);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

export default function AccountPage() {
  const { own: words } = useMessages();
  const { team, known } = useSession();
  const account = useAccount(team !== null);
  const { board } = useLive();
  const isLate = useIsLate();
  if (known && team === null) return <Redirect to={loginAddress("/account")} />;
  return (
    <div className={styles.page}>
      <header className={styles.team}>
        {team !== null && <Pennant name={team} size="medium" />}
        <div>
          <h1>{words.title}</h1>
          {team !== null && (
            <p className={styles.value}>
              <bdi>{team}</bdi>
            </p>
          )}
        </div>
      </header>
      {/* The cards below the progress would move when the board arrives. */}
      {account.data && (board || isLate) && <Cards own={account.data} />}
      {account.data && !board && !isLate && <Loading label={words.loading} shape="cards" />}
      <Pending query={account} label={words.loading} shape="cards" />
    </div>
  );
}
