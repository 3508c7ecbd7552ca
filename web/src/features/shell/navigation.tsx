/**
 * The navigation bar: Scoreboard, Challenges, Rules always; the event's own pages; News if there
 * are any; the organizers' pages for organizers; then Login and Signup, or the team, which leads to
 * its account, and Logout.
 */
import type { ReactNode } from "react";
import { ownPageAddress } from "../../addresses";
import { failureOf } from "../../api/client";
import { useSession, useSessionActions } from "../../api/session";
import { useSite } from "../../api/site";
import { useMessages } from "../../messages/language";
import { useAddress } from "../../navigate";
import { TeamIcon } from "../../ui/icons/icons";
import { useNotify } from "../../ui/notification/notification";
import { Picture } from "../../ui/picture/picture";
import { ORGANIZER, usePreference } from "../../ui/preference/preference";
import { Clock } from "./clock";
import styles from "./navigation.module.css";
import { NewsName, useHasNews } from "./news-name";

/** The name until the event's info is loaded. */
export const EVENT_NAME_DEFAULT = "Flagship CTF";

interface PageLinkProps {
  to: string;
  className?: string | undefined;
  onClick?: () => void;
  children: ReactNode;
}

function PageLink({ to, ...rest }: PageLinkProps) {
  const { path } = useAddress();
  return <a href={to} aria-current={path === to ? "page" : undefined} {...rest} />;
}

function AccountLinks() {
  const { team, known } = useSession();
  const { logOut } = useSessionActions();
  const { notify } = useNotify();
  const { navigation } = useMessages();
  if (team !== null) {
    const logout = () => {
      logOut().catch((error: unknown) => notify("error", failureOf(error)));
    };
    return (
      <>
        <li className={styles.team}>
          <PageLink to="/account">
            <TeamIcon />
            <bdi title={team}>{team}</bdi>
          </PageLink>
        </li>
        <li>
          <PageLink to="/login" onClick={logout}>
            {navigation.logout}
          </PageLink>
        </li>
      </>
    );
  }
  if (!known) return null;
  return (
    <>
      <li>
        <PageLink to="/login">{navigation.login}</PageLink>
      </li>
      <li>
        <PageLink to="/signup">{navigation.signup}</PageLink>
      </li>
    </>
  );
}

/** The event's logo, or its name. */
function Name({ name }: { name: string }) {
  const { logo, logoDark } = useSite() ?? {};
  if (!logo) return name;
  if (!logoDark) return <Picture picture={logo} alt={name} />;
  return (
    <>
      <Picture picture={logo} alt={name} className={styles.onLight} />
      <Picture picture={logoDark} alt={name} className={styles.onDark} />
    </>
  );
}

interface NavigationProps {
  name: string;
  /** Organizers' pages have an account and a clock of their own. */
  isOrganizers: boolean;
}

export function Navigation({ name, isOrganizers }: NavigationProps) {
  const { navigation } = useMessages();
  const hasNews = useHasNews();
  const organizes = usePreference(ORGANIZER) === "yes";
  const pages = useSite()?.pages.filter(({ place }) => place === "navigation") ?? [];
  return (
    <header className={styles.header}>
      <nav aria-label={navigation.main} className={styles.bar}>
        <PageLink to="/" className={styles.name}>
          <Name name={name} />
        </PageLink>
        <ul className={styles.links}>
          <li>
            <PageLink to="/scoreboard">{navigation.scoreboard}</PageLink>
          </li>
          <li>
            <PageLink to="/challenge">{navigation.challenges}</PageLink>
          </li>
          <li>
            <PageLink to="/rules">{navigation.rules}</PageLink>
          </li>
          {pages.map(({ slug, title }) => (
            <li key={slug}>
              <PageLink to={ownPageAddress(slug)}>{title}</PageLink>
            </li>
          ))}
          {hasNews && (
            <li>
              <PageLink to="/news">
                <NewsName />
              </PageLink>
            </li>
          )}
        </ul>
        {!isOrganizers && (
          <>
            <ul className={styles.account}>
              {organizes && (
                <li>
                  <a href="/organize">{navigation.organizers}</a>
                </li>
              )}
              <AccountLinks />
            </ul>
            <Clock />
          </>
        )}
      </nav>
    </header>
  );
}
