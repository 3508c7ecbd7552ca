/** A team's name that leads to its page. Drawn again for another name only: a board has many. */
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import styles from "./team-link.module.css";

export const TeamLink = memo(function TeamLink({ name }: { name: string }) {
  return (
    <Link to="/team/$name" params={{ name }} title={name} className={styles.link}>
      <bdi>{name}</bdi>
    </Link>
  );
});
