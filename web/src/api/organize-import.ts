/** Team import from a file: preview and import. */
import { postBytes } from "./organize";
import { withQuery } from "./organize-lists";
import type { components } from "./schema";

export type ImportPreview = components["schemas"]["ImportPreview"];
export type TeamsImported = components["schemas"]["TeamsImported"];

/** Maximum size of a team file in bytes, as enforced by the server. */
export const IMPORT_BYTES_MAX = 16 * 1024 ** 2;

/** A file, and its encoding if it is not Unicode. */
export interface TeamsFile {
  readonly bytes: ArrayBuffer;
  readonly encoding?: string | undefined;
}

/** Previews an import without changing anything. */
export function postImportPreview({ bytes, encoding }: TeamsFile) {
  return postBytes<ImportPreview>(withQuery("/imports/preview", { encoding }), bytes);
}

/** Imports a file as it was previewed. */
export function postImport({ bytes, encoding }: TeamsFile, seal: string, mail: boolean) {
  const query = { seal, mail: mail ? "true" : undefined, encoding };
  return postBytes<TeamsImported>(withQuery("/imports", query), bytes);
}
