/**
 * HTML from the server, sanitised again (the server sanitises it too), inserted without an HTML
 * string sink (Trusted Types).
 */
import DOMPurify from "dompurify";
import { useLayoutEffect, useRef } from "react";

/** Renders the sanitised HTML; links open in a new tab without a referrer. */
export function Html(props: { html: string; className?: string | undefined }) {
  const { html, className } = props;
  const box = useRef<HTMLDivElement>(null);
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
    box.current?.replaceChildren(fragment);
  }, [html]);
  return <div ref={box} className={className} />;
}
