/**
 * The bar at the top of every page: the event, the pages, the clock, the account and the menu. On
 * phones the pages are tabs at the bottom of the window.
 */
import type { ReactNode } from "react";
import { ownPageAddress } from "../../addresses";
import { failureOf } from "../../api/client";
import { useSession, useSessionActions } from "../../api/session";
import { useSite } from "../../api/site";
import { useMessages } from "../../messages/language";
import { useAddress } from "../../navigate";
import { useNotify } from "../../ui/notification/notification";
import { Picture } from "../../ui/picture/picture";
import { ORGANIZER, usePreference } from "../../ui/preference/preference";
import { Clock } from "./clock";
import { MENU_ID, Menu } from "./menu/menu";
import styles from "./navigation.module.css";
import {
  ChallengesIcon,
  LoginIcon,
  MoreIcon,
  NewsIcon,
  RulesIcon,
  ScoreboardIcon,
  SignupIcon,
} from "./navigation-icons";
import { NewsName, useHasNews } from "./news-name";

/** Name until the event info is loaded. */
export const EVENT_NAME_DEFAULT = "Flagship CTF";

interface PageLinkProps {
  to: string;
  className?: string | undefined;
  title?: string;
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

/** The event's logo, or its name, on phones without the part after a colon. */
function Name({ name }: { name: string }) {
  const { logo, logoDark } = useSite() ?? {};
  const [, first = name, rest] = /^(.*?\S)(:\s*\S.*)$/.exec(name) ?? [];
  if (!logo) {
    return (
      <bdi className="ellipsis">
        {first}
        {rest && <span className={styles.wide}>{rest}</span>}
      </bdi>
    );
  }
  if (!logoDark) return <Picture picture={logo} alt={name} />;
  return (
    <>
      <Picture picture={logo} alt={name} className={styles.onLight} />
      <Picture picture={logoDark} alt={name} className={styles.onDark} />
    </>
  );
}

/** The link to the news in the menu, while the bar has none. */
function NewsInMenu() {
  const { news } = useMessages();
  if (useHasNews()) return null;
  return (
    <Item to="/news">
      <NewsIcon />
      {news.title}
    </Item>
  );
}

/** Links to the event's own pages, and for organizers to theirs. */
function MorePages({ className }: { className: string | undefined }) {
  const { navigation } = useMessages();
  const organizes = usePreference(ORGANIZER) === "yes";
  const pages = useSite()?.pages.filter(({ place }) => place === "navigation") ?? [];
  return (
    <>
      {pages.map(({ slug, title }) => (
        <Item key={slug} to={ownPageAddress(slug)} className={className}>
          {title}
        </Item>
      ))}
      {organizes && (
        <Item to="/organize" className={className}>
          {navigation.organizers}
        </Item>
      )}
    </>
  );
}

function Pages() {
  const { navigation } = useMessages();
  const hasNews = useHasNews();
  return (
    <ul className={`plain-list ${styles.pages}`}>
      <Item to="/scoreboard">
        <ScoreboardIcon />
        <span>{navigation.scoreboard}</span>
      </Item>
      <Item to="/challenge">
        <ChallengesIcon />
        <span>{navigation.challenges}</span>
      </Item>
      <Item to="/rules">
        <RulesIcon />
        <span>{navigation.rules}</span>
      </Item>
      <MorePages className={styles.wide} />
      {hasNews && (
        <Item to="/news">
          <NewsIcon />
          <NewsName />
        </Item>
      )}
    </ul>
  );
}

function VisitorLinks() {
  const { navigation } = useMessages();
  return (
    <ul className={`plain-list ${styles.visitor}`}>
      <Item to="/login">
        <LoginIcon />
        <span>{navigation.login}</span>
      </Item>
      <Item to="/signup">
        <SignupIcon />
        <span>{navigation.signup}</span>
      </Item>
    </ul>
  );
}

function Logout() {
  const { logOut } = useSessionActions();
  const { notify } = useNotify();
  const { navigation } = useMessages();
  const logout = () => {
    logOut().catch((error: unknown) => notify("error", failureOf(error)));
  };
  return (
    <PageLink to="/login" className={styles.logout} onClick={logout}>
      {navigation.logout}
    </PageLink>
  );
}

interface NavigationProps {
  name: string;
  /** Opens the list of shortcuts; undefined where there is none. */
  onKeys: (() => void) | undefined;
}

export function Navigation({ name, onKeys }: NavigationProps) {
  const { navigation } = useMessages();
  const session = useSession();
  const isTeam = session.team !== null;
  const isVisitor = !isTeam && session.known;
  return (
    <header className={styles.header}>
      <nav aria-label={navigation.main} className={styles.bar}>
        <PageLink to="/" className={styles.name} title={name}>
          <Name name={name} />
        </PageLink>
        <div className={`screen-only ${styles.tabs}`}>
          <Pages />
          {isVisitor && <VisitorLinks />}
          {!isVisitor && (
            <button type="button" popoverTarget={MENU_ID} className={styles.more}>
              <MoreIcon />
              <span>{navigation.more}</span>
            </button>
          )}
        </div>
        <Clock />
        <div className={`screen-only ${styles.end}`}>
          {isTeam && <Logout />}
          <Menu
            onKeys={onKeys}
            pages={
              <>
                <NewsInMenu />
                <MorePages className={styles.narrow} />
              </>
            }
          />
        </div>
      </nav>
    </header>
  );
}
