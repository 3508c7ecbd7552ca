/** The home page: the banner, the event's status, and its social links. */
import type { CtfInfo } from "../../api/calls";
import { useFreeze, useSecondsUntil, useStatus } from "../../api/clock";
import { useCtf } from "../../api/queries";
import { type SiteInfo, useSite } from "../../api/site";
import { remaining } from "../../domain/countdown";
import { useMessages } from "../../messages/language";
import { Picture } from "../../ui/picture/picture";
import { useZone, type Zone } from "../../ui/zone/zone";
import { Countdown } from "./countdown";
import styles from "./home.module.css";
import { Purpose, Steps } from "./purpose";
import { Sponsors } from "./sponsors";

function Banner({ info, site }: { info: CtfInfo | undefined; site: SiteInfo | null }) {
  const { home } = useMessages();
  const name = info?.name || home.titleDefault;
  const { banner, hero } = site ?? {};
  return (
    <header className={styles.banner}>
      {hero && <Picture picture={hero} alt="" className={styles.hero} />}
      <h1>{name}</h1>
      {banner && <p className={styles.tagline}>{banner}</p>}
    </header>
  );
}

function SocialLinks({ site }: { site: SiteInfo | null }) {
  const { home } = useMessages();
  const links = [
    { label: home.microblog, address: site?.microblog },
    { label: home.chat, address: site?.chat },
  ].filter(({ address }) => /^https?:/.test(address ?? ""));
  if (links.length === 0) return null;
  return (
    <nav aria-label={home.social} className={styles.social}>
      {links.map(({ label, address }) => (
        <a key={label} href={address ?? ""} rel="noopener noreferrer" target="_blank">
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

/** Before a manual reveal the board is not final, and says so. */
function Ended() {
  const { home, freezeNote } = useMessages();
  const isFrozen = useFreeze() !== null;
  return (
    <>
      <p className={styles.left}>
        {home.ended}{" "}
        <a href="/scoreboard">{isFrozen ? home.frozenScoreboard : home.finalScoreboard}</a>
      </p>
      {isFrozen && <p className={styles.dates}>{freezeNote.ended}</p>}
    </>
  );
}

function Phase({ info }: { info: CtfInfo }) {
  const { home } = useMessages();
  const status = useStatus();
  if (status === "unknown") return null;
  if (status === "ended") return <Ended />;
  if (status === "not_started" && info.startTime !== null) {
    return <Countdown targetMs={info.startTime} />;
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

function eventDates(info: CtfInfo, locale: string, timeZone: Zone): string | null {
  const { startTime, endTime } = info;
  if (startTime === null || endTime === null) return null;
  const day = { day: "numeric", month: "long", year: "numeric" } as const;
  const time = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;
  const format = new Intl.DateTimeFormat(locale, { ...day, ...time, timeZone });
  return format.formatRange(startTime, endTime);
}

export default function HomePage() {
  const info = useCtf().data?.info;
  const site = useSite();
  const { locale, home } = useMessages();
  const loaded = info?.name ? info : null;
  const zone = useZone();
  const dates = loaded && eventDates(loaded, locale, zone);
  return (
    <>
      <div className={styles.home}>
        <Banner info={info} site={site} />
        {info && !loaded && <p className={styles.dates}>{home.notSetUp}</p>}
        {dates && <p className={styles.dates}>{dates}</p>}
        {loaded && <Phase info={loaded} />}
        {loaded && <Purpose info={loaded} />}
        <SocialLinks site={site} />
      </div>
      {loaded && <Steps info={loaded} />}
      {site && <Sponsors sponsors={site.sponsors} />}
    </>
  );
}
