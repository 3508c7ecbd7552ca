/** Search, filter and sort order of the challenges, all stored in the address. */
import type { ReactNode, Ref } from "react";
import type { ChallengeView } from "../../addresses";
import { useMessages } from "../../messages/language";
import styles from "./finder.module.css";
import { Fold } from "./fold";

const SHOWN = ["all", "unsolved", "solved"] as const;
const ORDERS = ["place", "points", "solves"] as const;

type Wish = Pick<ChallengeView, "q" | "show" | "order">;

interface FinderProps {
  wish: Wish;
  onWish: (wish: Wish) => void;
  searchRef: Ref<HTMLInputElement>;
  /** Called for Enter in the search. */
  onEnter: () => void;
  /** Additional filters. */
  children: ReactNode;
}

function Search({ wish, onWish, searchRef, onEnter }: Omit<FinderProps, "children">) {
  const { find: words } = useMessages();
  return (
    <input
      ref={searchRef}
      type="search"
      className={styles.search}
      aria-label={words.search}
      placeholder={words.search}
      autoComplete="off"
      spellCheck={false}
      value={wish.q ?? ""}
      onChange={(event) => onWish({ ...wish, q: event.target.value || undefined })}
      onKeyDown={(event) => {
        if (event.key === "Escape") onWish({ ...wish, q: undefined });
        if (event.key === "Enter" && !event.nativeEvent.isComposing) onEnter();
      }}
    />
  );
}

function Shown({ wish, onWish }: Pick<FinderProps, "wish" | "onWish">) {
  const { find: words } = useMessages();
  return (
    <fieldset className={styles.shown}>
      <legend className="visually-hidden">{words.show}</legend>
      {SHOWN.map((show) => (
        <label key={show}>
          <input
            type="radio"
            name="show"
            className="visually-hidden"
            checked={(wish.show ?? "all") === show}
            onChange={() => onWish({ ...wish, show: show === "all" ? undefined : show })}
          />
          <span className="quiet">{words.shown[show]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Order({ wish, onWish }: Pick<FinderProps, "wish" | "onWish">) {
  const { find: words } = useMessages();
  return (
    <label className={styles.order}>
      <span>{words.order}</span>
      <select
        value={wish.order ?? "place"}
        onChange={(event) => {
          const order = ORDERS.find((one) => one === event.target.value);
          onWish({ ...wish, order: order === "place" ? undefined : order });
        }}
      >
        {ORDERS.map((order) => (
          <option key={order} value={order}>
            {words.orders[order]}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Finder({ children, ...props }: FinderProps) {
  const { find: words } = useMessages();
  return (
    <div className={styles.finder}>
      <search>
        <Search {...props} />
      </search>
      <Fold line={words.more}>
        <div className={styles.more}>
          <Shown {...props} />
          <Order {...props} />
          {children}
        </div>
      </Fold>
    </div>
  );
}
