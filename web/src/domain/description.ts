/**
 * A challenge's description without the connection at its end. The server ends descriptions with
 * it, for clients that do not know the member; the site shows it in a box of its own.
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

/** Leaves a description alone whose last block has more words than the connection. */
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
