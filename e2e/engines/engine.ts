// Browser interface of the story test, implemented for every engine. Elements are found by role and
// name.

export interface EngineOptions {
  engine: "Firefox" | "WebKit";
}

/** Maximum time for an element to appear. */
export const FIND_MS_MAX = 10_000;

/** A browser with one page. It accepts the certificate of `front.ts`. */
export interface Engine {
  open(url: string): Promise<void>;
  /** Clicks the element, which must appear within `FIND_MS_MAX`. */
  press(role: "link" | "button" | "option", name: string): Promise<void>;
  /** Checks a box, even if an image covers it. */
  tick(name: string): Promise<void>;
  /** Replaces the value of the field with this label. */
  fill(label: string, text: string): Promise<void>;
  /** Evaluates an expression in the page. */
  read<T>(expression: string): Promise<T>;
  /** Closes the browser; throws if the console reported errors. */
  close(): Promise<void>;
}
