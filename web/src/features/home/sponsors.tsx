/** The event's sponsors, by tier. */
import type { SiteInfo } from "../../api/site";
import { groupBy } from "../../domain/board";
import { useMessages } from "../../messages/language";
import { Picture } from "../../ui/picture/picture";
import styles from "./sponsors.module.css";

type Sponsor = SiteInfo["sponsors"][number];

/** The sponsors of each tier, in the order in which tiers first appear. */
export function byTier(sponsors: readonly Sponsor[]): [tier: string, sponsors: Sponsor[]][] {
  return groupBy(sponsors, ({ tier }) => tier ?? "");
}

function One({ sponsor: { name, link, logo } }: { sponsor: Sponsor }) {
  const shown = logo ? <Picture picture={logo} alt={name} /> : <span>{name}</span>;
  if (!link) return shown;
  return (
    <a href={link} rel="noopener noreferrer" target="_blank">
      {shown}
    </a>
  );
}

export function Sponsors({ sponsors }: { sponsors: readonly Sponsor[] }) {
  const { brand } = useMessages();
  if (sponsors.length === 0) return null;
  return (
    <section className={styles.sponsors} aria-labelledby="sponsors">
      <h2 id="sponsors">{brand.sponsors}</h2>
      {byTier(sponsors).map(([tier, ofTier]) => (
        <div key={tier}>
          {tier !== "" && <h3>{tier}</h3>}
          <ul className="plain-list">
            {ofTier.map((sponsor) => (
              <li key={sponsor.name}>
                <One sponsor={sponsor} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
