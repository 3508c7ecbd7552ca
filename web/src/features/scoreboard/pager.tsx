/**
 * Pages of the scoreboard: numbers where there is room, else previous and next with the page
 * between.
 */
import { Link } from "@tanstack/react-router";
import { useMessages } from "../../messages/language";
import styles from "./scoreboard.module.css";

function Step(props: { label: string; page: number; enabled: boolean }) {
  if (!props.enabled) {
    return (
      <span className="button" data-disabled>
        {props.label}
      </span>
    );
  }
  return (
    <Link
      from="/scoreboard"
      to="/scoreboard"
      search={(old) => ({ ...old, page: props.page })}
      className="button"
    >
      {props.label}
    </Link>
  );
}

export function Pager({ page, pages }: { page: number; pages: number }) {
  const { board } = useMessages();
  if (pages === 1) return null;
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  return (
    <nav aria-label={board.pages} className={styles.pager}>
      <ol className={styles.numbers}>
        {numbers.map((number) => (
          <li key={number}>
            <Link
              from="/scoreboard"
              to="/scoreboard"
              search={(old) => ({ ...old, page: number })}
              className="button"
              aria-label={board.page(number)}
              aria-current={number === page ? "page" : undefined}
              activeProps={{ "aria-current": number === page ? "page" : undefined }}
            >
              {number}
            </Link>
          </li>
        ))}
      </ol>
      <div className={styles.steps}>
        <Step label={board.previous} page={page - 1} enabled={page > 1} />
        <span>{board.pageOf(page, pages)}</span>
        <Step label={board.next} page={page + 1} enabled={page < pages} />
      </div>
    </nav>
  );
}
