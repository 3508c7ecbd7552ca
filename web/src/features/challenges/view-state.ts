/** The view of the challenges' page in the address, and where the page stands when it changes. */
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { type ChallengeView, challengeAddress, readChallengeView } from "../../addresses";
import type { Challenge } from "../../api/calls";
import { go, useAddress } from "../../navigate";

/** Removes a member that is in the list, adds one that is not. */
function toggled(members: readonly string[], member: string): string[] {
  return members.includes(member) ? members.filter((one) => one !== member) : [...members, member];
}

/** The heading of a card: the button that opens and closes it. */
function headingOf(id: string): HTMLElement | null {
  return document.getElementById(`challenge-${id}`)?.querySelector("button") ?? null;
}

/**
 * A card that is opened or closed by a click stays where it is, whatever moves around it. One that
 * a link opens is scrolled to, and has the focus.
 */
function usePlace(open: readonly string[]): (id: string) => void {
  const clicked = useRef<{ id: string; top: number } | null>(null);
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
    before.current = open;
    const isClicked = clicked.current !== null;
    clicked.current = null;
    if (added === undefined || isClicked) return;
    document.getElementById(`challenge-${added}`)?.scrollIntoView();
    if (!isFirst) headingOf(added)?.focus({ preventScroll: true });
  }, [open]);
  return (id) => {
    const top = headingOf(id)?.getBoundingClientRect().top;
    if (top !== undefined) clicked.current = { id, top };
  };
}

export function useViewState() {
  const { search } = useAddress();
  const view = useMemo(() => readChallengeView(search), [search]);
  const keepPlace = usePlace(view.open);
  const change = (part: Partial<ChallengeView>) =>
    go(challengeAddress({ ...view, ...part }), { replace: true, keepScroll: true });
  return {
    view,
    change,
    toggleOpen(id: string) {
      keepPlace(id);
      change({ open: toggled(view.open, id) });
    },
    toggleHidden: (category: string) => change({ hide: toggled(view.hide, category) }),
    /** The address at which one challenge is open in another's place, and is not filtered out. */
    addressInstead: (id: string, other: Challenge) =>
      challengeAddress({
        order: view.order,
        show: view.show === "unsolved" ? view.show : undefined,
        open: [...view.open.filter((one) => one !== id), other.id],
        hide: view.hide.filter((category) => !other.categories.includes(category)),
      }),
  };
}
