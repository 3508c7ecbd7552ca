/** The list "Ready for the day": open items with links, then the done ones. */
import { useQuery } from "@tanstack/react-query";
import { getOrganizers, ORGANIZERS_KEY } from "../../../api/organize";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useChallenges, useMay, useSettings } from "../frame/queries";
import { Status } from "../frame/status";
import { PageLink } from "../frame/view";
import { useGate } from "../second-factor-gate";
import card from "./card.module.css";
import { isMailTested, type ReadinessItem, readiness } from "./readiness";
import styles from "./readiness.module.css";

/** Organizers, if the role may see them. */
function usePeople() {
  const run = useGate();
  const enabled = useMay()("organizer.list");
  return useQuery({
    queryKey: ORGANIZERS_KEY,
    queryFn: () => run(getOrganizers),
    enabled,
    gcTime: 0,
  });
}

export function useReadiness(overview: Overview): readonly ReadinessItem[] {
  const { ready } = useOrganizeMessages().day;
  const facts = {
    overview,
    settings: useSettings().data,
    challenges: useChallenges().data,
    people: usePeople().data,
    isSecure: window.location.protocol === "https:",
    isMailTested: isMailTested(),
    may: useMay(),
  };
  return readiness(facts, ready);
}

function Item({ item }: { item: ReadinessItem }) {
  const { isDone, isUrgent, text, path, query } = item;
  const open = isUrgent ? "bad" : "warn";
  return (
    <li className={styles.item} data-done={isDone}>
      <Status mark={isDone ? "good" : open}>
        {isDone ? (
          text
        ) : (
          <PageLink to={path} {...(query && { query })}>
            {text}
          </PageLink>
        )}
      </Status>
    </li>
  );
}

function Items({ label, items }: { label: string; items: readonly ReadinessItem[] }) {
  const [first] = items;
  if (!first) return null;
  return (
    <div>
      <h3>{label}</h3>
      <ul className={styles.items} data-done={first.isDone}>
        {items.map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </ul>
    </div>
  );
}

export function Readiness({ overview }: { overview: Overview }) {
  const { ready } = useOrganizeMessages().day;
  const items = useReadiness(overview);
  const done = items.filter(({ isDone }) => isDone);
  const open = items.filter(({ isDone }) => !isDone);
  // Other roles can act on a part of the preparations at most.
  const seesAll = useMay()("settings.read");
  if (items.length === 0) return null;
  return (
    <section className={`${card.card} ${styles.ready}`} aria-labelledby="readiness">
      <div className={styles.head}>
        <h2 id="readiness">{ready.title}</h2>
        <p>{ready.count(done.length, items.length)}</p>
      </div>
      <progress aria-hidden="true" max={items.length} value={done.length} />
      {open.length === 0 && seesAll && (
        <p className={styles.all}>
          <Status mark="good">{ready.all}</Status>
        </p>
      )}
      <Items label={ready.open} items={open} />
      <Items label={ready.done} items={done} />
    </section>
  );
}
