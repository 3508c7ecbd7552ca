// What the story needs of a browser, in every engine: elements are found by role and name.

export interface EngineOptions {
  engine: "Firefox" | "WebKit";
}

/** How long an element may take to appear. */
export const FIND_MS_MAX = 10_000;

/** A browser with one page. It accepts the certificate of `front.ts`. */
export interface Engine {
  open(url: string): Promise<void>;
  /** Clicks the element, which appears within `FIND_MS_MAX`. */
  press(role: "link" | "button" | "option", name: string): Promise<void>;
  /** Ticks a box, which may have a picture over it. */
  tick(name: string): Promise<void>;
  /** Types into the field with this label, in place of what is there. */
  fill(label: string, text: string): Promise<void>;
  /** The value of an expression in the page. */
  read<T>(expression: string): Promise<T>;
  /** Ends the browser; throws if it knows of errors in the console. */
  close(): Promise<void>;
}
