/** Saves a downloaded file. */

/** Time until the object URL is revoked: the browser may read it after the click. */
const KEPT_MS = 60_000;

/** Saves a file under a name, as a link with `download` does. */
export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
