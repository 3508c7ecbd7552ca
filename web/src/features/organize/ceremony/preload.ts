/** Loads everything that the stage shows, so that it needs no network. */
import { drawFlag } from "../../../ui/flag/flag";

/** Families in use, without the fallbacks, which are fonts of the device. */
function families(): Set<string> {
  const style = getComputedStyle(document.documentElement);
  const names = ["--font-heading", "--font", "--font-mono"].flatMap((name) =>
    style.getPropertyValue(name).split(","),
  );
  const plain = names.map((name) => name.trim().replace(/["']/g, ""));
  return new Set(plain.filter((name) => !name.includes("until loaded")));
}

async function preloadFonts(): Promise<void> {
  const used = families();
  const faces = [...(document.fonts ?? [])];
  const isUsed = ({ family }: FontFace) => used.has(family.replace(/["']/g, ""));
  await Promise.all(faces.filter(isUsed).map((face) => face.load()));
}

/** All flags are in one file, which any of them names. */
async function preloadFlags(): Promise<void> {
  const use = drawFlag("IT", "en").querySelector("use");
  const [file] = (use?.getAttribute("href") ?? "").split("#");
  if (file) await (await fetch(file)).arrayBuffer();
}

let loading: Promise<boolean> | undefined;

/** False if something could not be loaded; the next call tries again. */
export function preload(): Promise<boolean> {
  loading ??= Promise.all([preloadFonts(), preloadFlags()]).then(
    () => true,
    () => {
      loading = undefined;
      return false;
    },
  );
  return loading;
}
