/**
 * Removes the connection info from the end of a description. The server appends it for clients that
 * do not read the separate field; the site shows it in its own box.
 */

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
};

function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, "").replace(/&(?:lt|gt|quot|amp);/g, (name) => {
    return ENTITIES[name] ?? name;
  });
}

/** Leaves the description unchanged if its last block contains more than the connection info. */
export function withoutConnection(html: string, connection: string | null | undefined): string {
  if (!connection) return html;
  const last = Math.max(html.lastIndexOf("<p>"), html.lastIndexOf("<pre>"));
  if (last < 0) return html;
  return textOf(html.slice(last)).trim() === connection.trim() ? html.slice(0, last) : html;
}

/** True for a web address, which becomes a link. */
export function isWebAddress(connection: string): boolean {
  return /^https?:\/\/\S+$/.test(connection.trim());
}
