/** The navigation bar: the pages, the event's own, News if there are any, then the account. */
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

function Item({ className, ...link }: PageLinkProps) {
  return (
    <li className={className}>
      <PageLink {...link} />
    </li>
  );
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
        <Item to="/account" className={styles.team}>
          <TeamIcon />
          <bdi title={team} className="ellipsis">
            {team}
          </bdi>
        </Item>
        <Item to="/login" onClick={logout}>
          {navigation.logout}
        </Item>
      </>
    );
  }
  if (!known) return null;
  return (
    <>
      <Item to="/login">{navigation.login}</Item>
      <Item to="/signup">{navigation.signup}</Item>
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
        <ul className={`plain-list screen-only ${styles.links}`}>
          <Item to="/scoreboard">{navigation.scoreboard}</Item>
          <Item to="/challenge">{navigation.challenges}</Item>
          <Item to="/rules">{navigation.rules}</Item>
          {pages.map(({ slug, title }) => (
            <Item key={slug} to={ownPageAddress(slug)}>
              {title}
            </Item>
          ))}
          {hasNews && (
            <Item to="/news">
              <NewsName />
            </Item>
          )}
        </ul>
        {!isOrganizers && (
          <>
            <ul className={`plain-list screen-only ${styles.account}`}>
              {organizes && <Item to="/organize">{navigation.organizers}</Item>}
              <AccountLinks />
            </ul>
            <Clock />
          </>
        )}
      </nav>
    </header>
  );
}
