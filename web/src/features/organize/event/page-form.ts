/** The parts of the form of a page of the event's own, and its action. Pure. */
import type { Page } from "../../../api/organize-settings";
import type { ActionOrder } from "../change/order";
import { textOfPart, type Values } from "../forms/values";

/** Stands in the address for a page that is not there yet: no page has such a name. */
export const NEW_PAGE = "*";

export const isSlug = (text: string) => /^[a-z0-9-]{1,40}$/.test(text);

/** Whether this says where a page stands; empty is last. */
export const isPosition = (text: string) => /^(-?\d{1,9})?$/.test(text.trim());

/** The parts of a page as they are; without one, those of a new page, which begins so. */
export function pageNow(page: Page | null, template: string): Values {
  if (!page) return { slug: "", text: template, place: "footer", position: "" };
  const position = (page.position ?? null) === null ? "" : String(page.position);
  return { text: page.text ?? "", place: page.place, position };
}

/** The action that writes a page; null if it cannot be one. `taken` are the other pages. */
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
