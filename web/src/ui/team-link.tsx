/**
 * A team's name that leads to its page. A board has fifty of them, so it is a plain link whose
 * click the router takes: the router's own would each follow every change of the address.
 */
import { useRouter } from "@tanstack/react-router";
import { type MouseEvent, memo } from "react";
import styles from "./team-link.module.css";

/** A name's page. A browser folds a path of dots away, also encoded: those go in the query. */
export function teamAddress(name: string): string {
  return name === "." || name === ".." ? `/team?name=${name}` : `/team/${encodeURIComponent(name)}`;
}

/** Whether the click wants the page here; the others want a new tab, a window or a download. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

export const TeamLink = memo(function TeamLink({ name }: { name: string }) {
  const router = useRouter();
  function open(event: MouseEvent) {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    void router.navigate({ href: teamAddress(name) });
  }
  return (
    <a href={teamAddress(name)} title={name} className={styles.link} onClick={open}>
      <bdi>{name}</bdi>
    </a>
  );
});
