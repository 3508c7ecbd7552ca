/** Uploaded pictures that are not saved yet: the server shows only saved ones. */

const kept = new Map<string, string>();

/** Keeps a picture for previews, as a data URL: the site's policy permits no other. */
export function keepPicture(digest: string, file: Blob): Promise<void> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => {
      if (typeof reader.result === "string") kept.set(digest, reader.result);
      resolve();
    };
    reader.onerror = () => resolve();
    reader.readAsDataURL(file);
  });
}

/** Address of a picture; null if it is neither saved nor kept, as after a reload. */
export function pictureAddress(digest: string, isSaved: boolean): string | null {
  if (digest === "") return null;
  return kept.get(digest) ?? (isSaved ? `/brand/${digest}` : null);
}
