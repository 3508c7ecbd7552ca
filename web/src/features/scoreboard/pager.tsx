/** Pagination: page numbers where there is room, else previous and next around the current page. */
import { memo } from "react";
import { scoreboardAddress } from "../../addresses";
import { useMessages } from "../../messages/language";
import styles from "./scoreboard.module.css";
import { useView } from "./view";

export const Pager = memo(function Pager({ page, pages }: { page: number; pages: number }) {
  const { board } = useMessages();
  const view = useView();
  if (pages === 1) return null;
  const address = (to: number) => scoreboardAddress({ ...view, page: to });
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const step = (label: string, to: number) =>
    to >= 1 && to <= pages ? (
      <a href={address(to)} className="button">
        {label}
      </a>
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
            <a
              href={address(number)}
              className="button"
              aria-label={board.page(number)}
              aria-current={number === page ? "page" : undefined}
            >
              {number}
            </a>
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
