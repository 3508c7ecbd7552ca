/**
 * Pages of the scoreboard: numbers where there is room, else previous and next with the page
 * between. There may be dozens, so they are plain links whose clicks the router takes; the router's
 * own would each follow every change of the address.
 */
import { defaultStringifySearch, useNavigate, useSearch } from "@tanstack/react-router";
import { type MouseEvent, memo } from "react";
import { useMessages } from "../../messages/language";
import { isPlainClick } from "../../ui/team-link";
import styles from "./scoreboard.module.css";

interface PageLinkProps {
  page: number;
  label: string;
  /** An accessible name that says more than the label. */
  name?: string;
  current?: boolean;
}

function usePageLinks() {
  const search = useSearch({ from: "/scoreboard" });
  const navigate = useNavigate({ from: "/scoreboard" });
  return ({ page, label, name, current = false }: PageLinkProps) => (
    <a
      href={`/scoreboard${defaultStringifySearch({ ...search, page })}`}
      className="button"
      aria-label={name}
      aria-current={current ? "page" : undefined}
      onClick={(event: MouseEvent) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        void navigate({ search: (old) => ({ ...old, page }) });
      }}
    >
      {label}
    </a>
  );
}

export const Pager = memo(function Pager({ page, pages }: { page: number; pages: number }) {
  const { board } = useMessages();
  const link = usePageLinks();
  if (pages === 1) return null;
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const step = (label: string, to: number) =>
    to >= 1 && to <= pages ? (
      link({ page: to, label })
    ) : (
      <span className="button" data-disabled>
        {label}
      </span>
    );
  return (
    <nav aria-label={board.pages} className={styles.pager}>
      <ol className={styles.numbers}>
        {numbers.map((number) => (
          <li key={number}>
            {link({
              page: number,
              label: String(number),
              name: board.page(number),
              current: number === page,
            })}
          </li>
        ))}
      </ol>
      <div className={styles.steps}>
        {step(board.previous, page - 1)}
        <span>{board.pageOf(page, pages)}</span>
        {step(board.next, page + 1)}
      </div>
    </nav>
  );
});
