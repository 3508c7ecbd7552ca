/** Properties of every menu and popover of the organizer pages. */
import type { KeyboardEvent } from "react";
import styles from "./menu.module.css";

export const MENU_PROPS = {
  className: styles.menu,
  portal: true,
  /** Items of closed menus would be most of the script when a list opens. */
  unmountOnHide: true,
  /** Inside the frame, which has the style of its widgets and their language. */
  portalElement: () => document.querySelector<HTMLElement>(".org") ?? document.body,
  /** The guards of the focus would be hidden elements that can have it, which axe rejects. */
  preserveTabOrder: false,
  /** Keys of an open menu are not shortcuts of the page. */
  onKeyDown: (event: KeyboardEvent) => event.stopPropagation(),
} as const;
