/** HTML from the server, sanitized again and inserted without a string sink (Trusted Types). */
import DOMPurify from "dompurify";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useMessages } from "../../messages/language";
import { CopyButton } from "../copy/copy";
import styles from "./html.module.css";

/** Wraps a table in a scrollable box and returns the box. */
function frame(table: HTMLTableElement, label: string): HTMLElement {
  const box = document.createElement("div");
  box.className = styles.table ?? "";
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", label);
  table.replaceWith(box);
  box.append(table);
  return box;
}

interface Block {
  readonly place: HTMLElement;
  readonly text: string;
}

/** Wraps a code block in a box with a slot for its button. */
function boxed(pre: HTMLPreElement): Block {
  const box = document.createElement("div");
  box.className = styles.block ?? "";
  const place = document.createElement("div");
  place.className = styles.copy ?? "";
  pre.replaceWith(box);
  box.append(place, pre);
  return { place, text: pre.textContent.replace(/\n$/, "") };
}

/** The text of HTML, without its elements, for a summary. */
export function textOf(html: string): string {
  const text = DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true, ALLOWED_TAGS: [] });
  return text.textContent.trim();
}

/** Renders the sanitized HTML; links open in a new tab without a referrer. */
export function Html(props: { html: string; className?: string | undefined }) {
  const { html, className = "" } = props;
  const { html: words } = useMessages();
  const box = useRef<HTMLDivElement>(null);
  const [blocks, setBlocks] = useState<readonly Block[]>([]);
  useLayoutEffect(() => {
    const fragment = DOMPurify.sanitize(html, {
      RETURN_DOM_FRAGMENT: true,
      USE_PROFILES: { html: true },
      FORBID_ATTR: ["style"],
      FORBID_TAGS: ["style", "form", "input", "button"],
    });
    for (const link of fragment.querySelectorAll("a[href]")) {
      if (link.getAttribute("href")?.startsWith("#")) continue;
      link.setAttribute("target", "_blank");
      link.setAttribute("rel", "noopener noreferrer");
    }
    for (const image of fragment.querySelectorAll("img:not([alt])")) image.setAttribute("alt", "");
    // The page already has its `h1`.
    for (const heading of fragment.querySelectorAll("h1")) {
      const lower = document.createElement("h2");
      lower.append(...heading.childNodes);
      heading.replaceWith(lower);
    }
    const tables = [...fragment.querySelectorAll("table")];
    const framed = tables.map((table) => frame(table, words.table));
    const code = [...fragment.querySelectorAll("pre")];
    const scrolling = [...code, ...framed];
    const made = code.map(boxed);
    box.current?.replaceChildren(fragment);
    setBlocks((before) => (before.length + made.length === 0 ? before : made));
    // Keyboard users must focus an element to scroll it. Boxes that fit need no tab stop.
    for (const one of scrolling) if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
  }, [html, words]);
  return (
    <>
      <div ref={box} dir="auto" className={`${styles.html} ${className}`} />
      {blocks.map(({ place, text }) =>
        createPortal(<CopyButton text={text} label={words.copyCode} />, place),
      )}
    </>
  );
}

/** The text of HTML from the server, without its elements. */
export function HtmlExcerpt({ html, className }: { html: string; className?: string | undefined }) {
  const text = useMemo(
    () => DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true }).textContent,
    [html],
  );
  return (
    <span dir="auto" className={className}>
      {text}
    </span>
  );
}
