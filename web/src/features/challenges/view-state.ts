/** The view of the challenges page in the address, and the focus and scroll position after it. */
import { type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { type ChallengeView, challengeAddress, readChallengeView } from "../../addresses";
import type { Challenge } from "../../api/calls";
import { go, useAddress } from "../../navigate";

/** Toggles a member of a list. */
function toggled(members: readonly string[], member: string): string[] {
  return members.includes(member) ? members.filter((one) => one !== member) : [...members, member];
}

function cardOf(id: string): HTMLElement | null {
  return document.getElementById(`challenge-${id}`);
}

/** The heading of a card: the button that opens and closes it. */
function headingOf(id: string): HTMLElement | null {
  return cardOf(id)?.querySelector("h3 button") ?? null;
}

/** True if the main pointer is a finger: focus in a field would open the keyboard over the page. */
function isTouchScreen(): boolean {
  return window.matchMedia("(pointer: coarse)").matches;
}

/** True for a click by a mouse, a pen or a key. */
function isFineClick({ nativeEvent }: MouseEvent): boolean {
  const kind = nativeEvent instanceof PointerEvent ? nativeEvent.pointerType : "";
  return kind === "" ? !isTouchScreen() : kind !== "touch";
}

/** Moves the focus to the flag field of an open challenge, if there is one and no finger. */
export function focusFlag(id: string, isFine = !isTouchScreen()): boolean {
  const field = isFine && cardOf(id)?.querySelector<HTMLElement>("input[name=flag]");
  if (!field) return false;
  field.focus({ preventScroll: true });
  return true;
}

/**
 * Keeps a card in place when a click opens or closes it. A card opened by a link is scrolled into
 * view. An opened challenge gets the focus: its flag field, or its heading.
 */
function usePlace(open: readonly string[], isWorkbench: boolean) {
  const clicked = useRef<{ id: string; top: number; isFine: boolean } | null>(null);
  const before = useRef<readonly string[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs on each change of the view.
  useLayoutEffect(() => {
    if (!clicked.current) return;
    const { id, top } = clicked.current;
    const now = headingOf(id)?.getBoundingClientRect().top ?? top;
    if (now !== top) window.scrollBy(0, now - top);
  }, [open]);
  useEffect(() => {
    const added = open.find((id) => !before.current?.includes(id));
    const isFirst = before.current === null;
    const isFine = clicked.current?.isFine;
    before.current = open;
    clicked.current = null;
    if (added === undefined) return;
    if (isFine !== undefined) {
      focusFlag(added, isFine);
      return;
    }
    if (isWorkbench) headingOf(added)?.scrollIntoView({ block: "nearest" });
    else cardOf(added)?.scrollIntoView();
    if (!isFirst && !focusFlag(added)) headingOf(added)?.focus({ preventScroll: true });
  }, [open, isWorkbench]);
  return (id: string, event: MouseEvent | undefined) => {
    const top = headingOf(id)?.getBoundingClientRect().top;
    const isFine = event ? isFineClick(event) : !isTouchScreen();
    if (top !== undefined) clicked.current = { id, top, isFine };
  };
}

/** The view and its changes. The workbench shows only the challenge that was opened last. */
export function useViewState(isWorkbench: boolean) {
  const { search } = useAddress();
  const view = useMemo(() => readChallengeView(search), [search]);
  const keepPlace = usePlace(view.open, isWorkbench);
  const change = (part: Partial<ChallengeView>) =>
    go(challengeAddress({ ...view, ...part }), { replace: true, keepScroll: true });
  return {
    view,
    change,
    /** Opens a challenge, in the place of the `shown` one on the workbench, or closes it. */
    toggleOpen(id: string, shown: readonly string[], event?: MouseEvent) {
      keepPlace(id, event);
      if (!isWorkbench) return change({ open: toggled(view.open, id) });
      const others = view.open.filter((one) => one !== id && !shown.includes(one));
      change({ open: shown.includes(id) ? others : [...others, id] });
    },
    toggleHidden: (category: string) => change({ hide: toggled(view.hide, category) }),
    /** The address with one challenge open instead of another, and visible despite the filters. */
    addressInstead: (id: string, other: Challenge) =>
      challengeAddress({
        order: view.order,
        show: view.show === "unsolved" ? view.show : undefined,
        open: [...view.open.filter((one) => one !== id), other.id],
        hide: view.hide.filter((category) => !other.categories.includes(category)),
      }),
  };
}
