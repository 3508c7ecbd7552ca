/**
 * Detects texts that the page echoes back to an editor with its own state. The page renders input
 * with a delay, so writing an echo into the editor would undo newer input. Pure.
 */
export function echoes() {
  let sent: string[] = [];
  return {
    /** Records a text that the field reported. */
    sent(text: string) {
      sent.push(text);
    },
    /** True if the page's current text came from the field. */
    isEcho(text: string): boolean {
      const at = sent.indexOf(text);
      // Earlier texts will not be shown anymore.
      sent = at < 0 ? [] : sent.slice(at + 1);
      return at >= 0;
    },
  };
}
