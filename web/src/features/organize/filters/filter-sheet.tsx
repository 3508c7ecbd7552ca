/** Filters on a phone: one button, and a sheet with all of them. */
import { useState } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Dialog } from "../../../ui/dialog/dialog";
import { optionsOf, Select } from "../change/fields";
import { changeView, useView } from "../frame/view";
import { FilterFields } from "./filter-fields";
import styles from "./filter-line.module.css";
import { type Filter, type Order, parametersOf } from "./filters";

interface SheetProps {
  filters: readonly Filter[];
  order: Order | undefined;
  count: string;
  /** Filters that are set. */
  set: readonly Filter[];
}

function Fields({ filters, order }: Pick<SheetProps, "filters" | "order">) {
  const { filters: words } = useOrganizeMessages();
  const view = useView();
  const change = (name: string) => (value: string) =>
    changeView({ [name]: value }, { replace: true });
  const [first, ...others] = optionsOf(order?.words ?? {});
  return (
    <div className={styles.sheet}>
      {filters.map((filter) =>
        filter.words ? (
          <Select
            key={filter.name}
            label={filter.label}
            value={view(filter.name)}
            options={[["", words.any], ...optionsOf(filter.words)]}
            onChange={change(filter.name)}
          />
        ) : (
          <fieldset key={filter.name} className={styles.group}>
            {filter.kind === "period" && <legend>{filter.label}</legend>}
            <FilterFields filter={filter} />
          </fieldset>
        ),
      )}
      {order && first && (
        <Select
          label={order.label}
          value={view("order")}
          options={[["", first[1]], ...others]}
          onChange={change("order")}
        />
      )}
    </div>
  );
}

export function FilterSheet({ filters, order, count, set }: SheetProps) {
  const { filters: words } = useOrganizeMessages();
  const [isOpen, setOpen] = useState(false);
  const clear = () => {
    const names = set.flatMap(parametersOf);
    changeView(Object.fromEntries(names.map((name) => [name, undefined])), { replace: true });
  };
  return (
    <>
      <button
        type="button"
        className={styles.open}
        data-set={set.length > 0}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {words.button(set.length)}
      </button>
      {isOpen && (
        <Dialog title={words.sheet} onClose={() => setOpen(false)}>
          <Fields filters={filters} order={order} />
          <div className={styles.foot}>
            {set.length > 0 && (
              <button type="button" onClick={clear}>
                {words.clear}
              </button>
            )}
            <button type="button" className="org-do" onClick={() => setOpen(false)}>
              {words.show(count)}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
