/** A button whose menu is created when it opens, because a page has many such buttons. */
import { Menu, useMenuStore } from "@ariakit/react";
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { MENU_PROPS } from "./menu-props";

type End = "first" | "last";

/** An open menu, for its content. */
export interface OpenMenu {
  readonly id: string;
  /** The button. */
  readonly anchor: HTMLElement;
  /** Entry that takes the focus. */
  readonly focused: End;
  readonly onClose: () => void;
}

interface MenuProps extends ComponentProps<typeof Menu> {
  of: OpenMenu;
  placement: "bottom-start" | "bottom-end" | "top-end";
}

/** The menu of a button. It closes by `onClose`, which removes it. */
export function OpenedMenu({ of, placement, ...props }: MenuProps) {
  const { id, anchor, focused, onClose } = of;
  const store = useMenuStore({
    open: true,
    setOpen: (isOpen) => !isOpen && onClose(),
    placement,
  });
  useLayoutEffect(() => {
    store.setAnchorElement(anchor);
    store.setDisclosureElement(anchor);
    store.setInitialFocus(focused);
    store.setAutoFocusOnShow(true);
  }, [store, anchor, focused]);
  return <Menu id={id} store={store} gutter={4} {...MENU_PROPS} {...props} />;
}

interface OpenerProps extends Omit<ComponentProps<"button">, "ref" | "type"> {
  ref?: RefObject<HTMLButtonElement | null>;
  menu: (opened: OpenMenu) => ReactNode;
}

export function MenuOpener({ ref, menu, ...props }: OpenerProps) {
  const id = useId();
  const own = useRef<HTMLButtonElement>(null);
  const button = ref ?? own;
  const [opened, open] = useState<End | null>(null);
  function close() {
    const focus = document.activeElement;
    open(null);
    if (focus === document.body || focus?.closest(`[role="menu"]`)) {
      button.current?.focus({ preventScroll: true });
    }
  }
  return (
    <>
      <button
        {...props}
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={opened !== null}
        aria-controls={opened ? id : undefined}
        onClick={() => open(opened ? null : "first")}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          open(event.key === "ArrowDown" ? "first" : "last");
        }}
      />
      {opened &&
        button.current &&
        menu({ id, anchor: button.current, focused: opened, onClose: close })}
    </>
  );
}
