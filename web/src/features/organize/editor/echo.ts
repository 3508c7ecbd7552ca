/**
 * Tells a field that keeps its own text which texts come back to it. The page shows what was typed
 * a moment later: put into the field again, it would take away what was typed in between. Pure.
 */
export function echoes() {
  let sent: string[] = [];
  return {
    /** The field has this text now. */
    sent(text: string) {
      sent.push(text);
    },
    /** Whether a text that the page has now came from the field. */
    isEcho(text: string): boolean {
      const at = sent.indexOf(text);
      // The page goes on from it: what came before is not shown any more.
      sent = at < 0 ? [] : sent.slice(at + 1);
      return at >= 0;
    },
  };
}
