/** A team's name as a link to its page. */
import { teamAddress } from "../../addresses";
import styles from "./team-link.module.css";

export function TeamLink({ name }: { name: string }) {
  return (
    <a href={teamAddress(name)} title={name} className={styles.link}>
      <bdi>{name}</bdi>
    </a>
  );
}
