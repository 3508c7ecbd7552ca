/** Key of the stored view of the scoreboard, and its removal at logout. */

export const LOOK_KEY = "last look";

/** Removes the stored view, which has the team's own later solves. */
export function clearLook(): void {
  try {
    localStorage.removeItem(LOOK_KEY);
  } catch {
    // Storage is not available, so there is no view.
  }
}
