/** Saving a file that a call answered. */

/** How long the address of a file stays: the browser may still read it after the click. */
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
