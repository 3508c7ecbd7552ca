/** Names of the teams or challenges of an order about several. */
import type { Arguments } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useAllChallenges } from "../frame/queries";
import type { Order } from "./order";
import { useFirst } from "./rank-changes";
import styles from "./sheet.module.css";

/** Maximum names shown at first. */
const NAMES_MAX = 4;

function useNames(order: Order): readonly string[] {
  const { teams = [], challenges: ids = [] }: Arguments = order.fixed ?? {};
  const challenges = useAllChallenges().data;
  const nameOf = (id: string) => challenges?.find((one) => one.id === id)?.challengeName ?? id;
  return [...teams, ...ids.map(nameOf)];
}

export function Objects({ order }: { order: Order }) {
  const { sheet } = useOrganizeMessages().pages;
  const names = useNames(order);
  const { shown, button } = useFirst(names, NAMES_MAX, sheet.moreObjects);
  if (names.length === 0) return null;
  return (
    <ul aria-label={sheet.objects} className={styles.objects}>
      {shown.map((name) => (
        <li key={name} title={name}>
          <bdi>{name}</bdi>
        </li>
      ))}
      {button && <li>{button}</li>}
    </ul>
  );
}
