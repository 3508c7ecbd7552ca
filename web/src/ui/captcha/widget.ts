/** The interface of a mounted captcha widget, the same for every provider. */

export interface Mounted {
  /** Prepares another attempt; the previous token is used up. */
  reset(): void;
  unmount(): void;
}
