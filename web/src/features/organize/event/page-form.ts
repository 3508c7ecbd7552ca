/** Fields of the form for a custom page, and its action. Pure. */
import type { Page } from "../../../api/organize-settings";
import type { ActionOrder } from "../change/order";
import { textOfPart, type Values } from "../forms/values";

/** URL parameter of a new page; no page can have this name. */
export const NEW_PAGE = "*";

export const isSlug = (text: string) => /^[a-z0-9-]{1,40}$/.test(text);

/** True for a valid page position; empty means last. */
export const isPosition = (text: string) => /^(-?\d{1,9})?$/.test(text.trim());

/** Current form values of a page, or those of a new page with the template. */
export function pageNow(page: Page | null, template: string): Values {
  if (!page) return { slug: "", text: template, place: "footer", position: "" };
  const position = (page.position ?? null) === null ? "" : String(page.position);
  return { text: page.text ?? "", place: page.place, position };
}

/** Action that saves a page; null if the values are invalid. `taken` are the other pages. */
export function pageAction(
  slug: string,
  values: Values,
  taken: readonly Page[],
): ActionOrder | null {
  const text = textOfPart(values.text);
  const position = textOfPart(values.position).trim();
  const isTaken = taken.some((page) => page.slug === slug);
  const isWrong = !isSlug(slug) || !isPosition(position);
  if (isTaken || isWrong || text.trim() === "") return null;
  const fixed = {
    page: slug,
    text,
    place: textOfPart(values.place),
    position: position === "" ? undefined : Number(position),
  };
  return { action: "page.set", fixed, object: slug };
}
