/** Code loaded on demand, with a timeout of 120 seconds. */
import { type ComponentType, use } from "react";

export const CHUNK_TIMEOUT_MS = 120_000;

/** A script chunk that did not load. */
export class ChunkError extends Error {
  override readonly name = "ChunkError";
  constructor(id: string, cause?: unknown) {
    super(`Loading chunk ${id} failed`, { cause });
  }
}

/** Loads a chunk, or rejects with a `ChunkError`. */
export async function loadChunk<T>(id: string, load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError(id)), CHUNK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (cause) {
    throw cause instanceof ChunkError ? cause : new ChunkError(id, cause);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A page from a chunk; `preload` fetches it, also after a failure. A loaded page renders at once:
 * React's `lazy` would show the placeholder first, for a third of a second.
 */
export function chunkPage(id: string, load: () => Promise<{ default: ComponentType }>) {
  let loaded: ComponentType | undefined;
  let loading: Promise<ComponentType> | undefined;
  let failed = false;
  async function fetchPage(): Promise<ComponentType> {
    failed = false;
    try {
      loaded = (await loadChunk(id, load)).default;
      return loaded;
    } catch (error) {
      failed = true;
      throw error;
    }
  }
  const page = () => (loading ??= fetchPage());
  function ChunkPage() {
    const Page = loaded ?? use(page());
    return <Page />;
  }
  const preload = async () => {
    if (failed) loading = undefined;
    await page();
  };
  return Object.assign(ChunkPage, { preload, isLoaded: () => loaded !== undefined });
}
