/** What every captcha provider gives once it is on the page. */

export interface Mounted {
  /** Ready for another attempt; the token that was given is spent. */
  reset(): void;
  unmount(): void;
}
