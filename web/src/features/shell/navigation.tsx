/** The navigation bar: Scoreboard, Challenges, Rules always; then Login and Signup, or Logout. */
import { Link } from "@tanstack/react-router";
import { errorMessage } from "../../api/client";
import { useSession, useSessionActions } from "../../api/session";
import { useMessages } from "../../messages/language";
import { useNotify } from "../../ui/notification";
import styles from "./navigation.module.css";

/** The name while no event is loaded. */
export const EVENT_NAME_DEFAULT = "Flagship CTF";

function AccountLinks() {
  const { team, known } = useSession();
  const { leave } = useSessionActions();
  const { notify } = useNotify();
  const { navigation } = useMessages();
  if (team !== null) {
    const logout = () => {
      leave().catch((error: unknown) => notify("error", errorMessage(error)));
    };
    return (
      <>
        <li className={styles.team}>
          <bdi title={team}>{team}</bdi>
        </li>
        <li>
          <Link to="/login" onClick={logout}>
            {navigation.logout}
          </Link>
        </li>
      </>
    );
  }
  if (!known) return null;
  return (
    <>
      <li>
        <Link to="/login">{navigation.login}</Link>
      </li>
      <li>
        <Link to="/signup">{navigation.signup}</Link>
      </li>
    </>
  );
}

export function Navigation({ name }: { name: string }) {
  const { navigation } = useMessages();
  return (
    <header className={styles.header}>
      <nav aria-label={navigation.main} className={styles.bar}>
        <Link to="/" activeOptions={{ exact: true }} className={styles.name}>
          {name}
        </Link>
        <ul className={styles.links}>
          <li>
            <Link to="/scoreboard">{navigation.scoreboard}</Link>
          </li>
          <li>
            <Link to="/challenge">{navigation.challenges}</Link>
          </li>
          <li>
            <Link to="/rules">{navigation.rules}</Link>
          </li>
        </ul>
        <ul className={styles.account}>
          <AccountLinks />
        </ul>
      </nav>
    </header>
  );
}
