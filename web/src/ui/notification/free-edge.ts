/** The edge of the window at which toasts cover the fewest controls, and not the page's title. */

const CONTROLS = "a[href], button, input, select, textarea, summary, h1";
/** Weight of the focused control, which must stay visible. */
const FOCUSED = 100;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function overlaps(one: Box, other: Box): boolean {
  const isBeside = one.right <= other.left || other.right <= one.left;
  return !isBeside && one.top < other.bottom && other.top < one.bottom;
}

/** Number of controls of the page below a box. */
function covered(box: Box): number {
  const controls = document.querySelectorAll<HTMLElement>(`main :is(${CONTROLS})`);
  return [...controls].reduce((count, control) => {
    const rect = control.getBoundingClientRect();
    if (rect.width === 0 || !overlaps(box, rect)) return count;
    return count + (control === document.activeElement ? FOCUSED : 1);
  }, 0);
}

/** True while a keyboard on the screen hides the bottom of the window. */
function hasScreenKeyboard(): boolean {
  const { innerHeight, visualViewport } = window;
  return (visualViewport?.height ?? innerHeight) < 0.75 * innerHeight;
}

/** `bottom` if the region covers fewer controls there than at the top. */
export function freeEdge(region: HTMLElement): "top" | "bottom" {
  const { dataset } = region;
  dataset.edge = "top";
  if (hasScreenKeyboard()) return "top";
  const atTop = covered(region.getBoundingClientRect());
  if (atTop === 0) return "top";
  dataset.edge = "bottom";
  return covered(region.getBoundingClientRect()) < atTop ? "bottom" : "top";
}
