/** The home page: the hero with the event's status, then the competition and its sponsors. */
import type { CtfInfo } from "../../api/calls";
import { useFreeze, useSecondsUntil, useStatus } from "../../api/clock";
import { useCtf } from "../../api/queries";
import { type SiteInfo, useSite } from "../../api/site";
import { remaining } from "../../domain/countdown";
import { useMessages } from "../../messages/language";
import { SocialIcon } from "../../ui/social-icon/social-icon";
import { Aside } from "./aside";
import { Countdown } from "./countdown";
import { EventDates } from "./dates";
import { Hero } from "./hero";
import styles from "./home.module.css";
import { Band, Competition, Entrants } from "./live";
import { Purpose, Steps } from "./purpose";
import { Sponsors } from "./sponsors";

// The page of an unknown address has the same picture, and comes with this chunk.
export { Lost } from "./lost";

/** The event's name. A part after a colon is lighter, on its own line. */
function Title({ name }: { name: string }) {
  const [, first = name, second] = /^(.*?\S):\s*(\S.*)$/.exec(name) ?? [];
  return (
    <h1 className={styles.title}>
      {first}
      {second && (
        <>
          <span className="visually-hidden">: </span>
          <span className={styles.subtitle}>{second}</span>
        </>
      )}
    </h1>
  );
}

function SocialLinks({ site }: { site: SiteInfo | null }) {
  const { home } = useMessages();
  const links = [
    { label: home.microblog, address: site?.microblog ?? "", icon: "globe" },
    { label: home.chat, address: site?.chat ?? "", icon: "chat" },
  ] as const;
  const shown = links.filter(({ address }) => /^https?:/.test(address));
  if (shown.length === 0) return null;
  return (
    <nav aria-label={home.social} className={styles.social}>
      {shown.map(({ label, address, icon }) => (
        <a key={label} href={address} rel="noopener noreferrer" target="_blank">
          <SocialIcon address={address} otherwise={icon} />
          {label}
        </a>
      ))}
    </nav>
  );
}

function TimeLeft({ endTime }: { endTime: number }) {
  const { home } = useMessages();
  const left = remaining(endTime, useSecondsUntil(endTime));
  return <p className={styles.left}>{home.timeLeft(left)}</p>;
}

/** The ended state; before a manual reveal the scoreboard is not called final. */
function Ended() {
  const { home, freezeNote } = useMessages();
  const isFrozen = useFreeze() !== null;
  return (
    <>
      <p className={styles.left}>{home.ended}</p>
      <a href="/scoreboard" className={`button button-primary ${styles.play}`}>
        {isFrozen ? home.frozenScoreboard : home.finalScoreboard}
      </a>
      {isFrozen && <p className={styles.note}>{freezeNote.ended}</p>}
    </>
  );
}

function Phase({ info }: { info: CtfInfo }) {
  const { home } = useMessages();
  const status = useStatus();
  if (status === "unknown") return null;
  if (status === "ended") return <Ended />;
  if (status === "not_started" && info.startTime !== null) {
    return (
      <>
        <Countdown targetMs={info.startTime} />
        <Entrants />
      </>
    );
  }
  return (
    <>
      {info.endTime !== null && <TimeLeft endTime={info.endTime} />}
      <a href="/challenge" className={`button button-primary ${styles.play}`}>
        {home.play}
      </a>
    </>
  );
}

export default function HomePage() {
  const info = useCtf().data?.info;
  const site = useSite();
  const { home } = useMessages();
  const loaded = info?.name ? info : null;
  return (
    <div className={styles.home}>
      <Hero picture={site?.hero}>
        <div className={styles.lead}>
          {loaded && <EventDates info={loaded} />}
          <Title name={info?.name || home.titleDefault} />
          {site?.banner && <p className={styles.tagline}>{site.banner}</p>}
          {info && !loaded && <p className={styles.note}>{home.notSetUp}</p>}
          {loaded && (
            <div className={styles.actions}>
              <Phase info={loaded} />
              <Purpose info={loaded} />
            </div>
          )}
        </div>
        {loaded && <Aside info={loaded} />}
        <SocialLinks site={site} />
      </Hero>
      {loaded && (
        <>
          <Band />
          <Competition />
          <Steps info={loaded} />
        </>
      )}
      {site && <Sponsors sponsors={site.sponsors} />}
    </div>
  );
}
