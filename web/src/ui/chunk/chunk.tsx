/** Code loaded on demand, with a timeout of 120 seconds. */
import { useIsMutating } from "@tanstack/react-query";
import { type ComponentType, use, useEffect, useState } from "react";
import { useMessages } from "../../messages/language";

export const CHUNK_TIMEOUT_MS = 120_000;
/** Retry interval for a missing page once the connection is back. */
const RETRY_MS = 5_000;

/** Error for a script chunk that did not load. */
export class ChunkError extends Error {
  override readonly name = "ChunkError";
  constructor(id: string, cause?: unknown) {
    super(`Loading chunk ${id} failed`, { cause });
  }
}

/** Reloads the document if the server responds; otherwise a browser error would replace it. */
async function reloadIfReachable(): Promise<boolean> {
  try {
    const request = new Request(window.location.href, { method: "HEAD", cache: "no-store" });
    if ((await fetch(request)).status >= 500) return false;
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/**
 * A button that reloads the document, since not every browser fetches a failed script again.
 * Offline it shows a message and keeps the page; `automatic` retries when the connection is back.
 */
export function Retry({ automatic = false }: { automatic?: boolean }) {
  const { problem } = useMessages();
  const [isDown, setIsDown] = useState(false);
  /** Number of times the connection has come back. */
  const [returns, setReturns] = useState(0);
  // A reload would lose requests in flight and flags that wait for the connection.
  const isSending = useIsMutating() > 0;
  const retry = async () => setIsDown(!(await reloadIfReachable()));
  useEffect(() => {
    if (!automatic) return;
    const onOnline = () => setReturns((count) => count + 1);
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, [automatic]);
  useEffect(() => {
    if (returns === 0 || isSending) return;
    void reloadIfReachable();
    const timer = setInterval(() => void reloadIfReachable(), RETRY_MS);
    return () => clearInterval(timer);
  }, [returns, isSending]);
  return (
    <>
      <button type="button" onClick={() => void retry()}>
        {problem.retry}
      </button>
      <span role="status">{isDown && problem.stillDown}</span>
    </>
  );
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
 * A page in its own chunk; `preload` fetches it, also after a failure. A loaded page renders
 * immediately, while React's `lazy` would first show the placeholder for a third of a second.
 */
export function chunkPage(id: string, load: () => Promise<{ default: ComponentType }>) {
  let loaded: ComponentType | undefined;
  let loading: Promise<ComponentType> | undefined;
  let failed = false;
  // React replays a render that suspended, which has to call `use` again.
  let hasSuspended = false;
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
    if (loaded === undefined) hasSuspended = true;
    const Page = loaded && !hasSuspended ? loaded : use(page());
    return <Page />;
  }
  const preload = async () => {
    if (failed) loading = undefined;
    await page();
  };
  return Object.assign(ChunkPage, { preload, isLoaded: () => loaded !== undefined });
}
