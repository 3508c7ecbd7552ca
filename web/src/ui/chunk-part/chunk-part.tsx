/** A part of a page in a chunk of its own; when it does not come, the rest of the page stands. */
import { type ComponentType, lazy } from "react";
import { useMessages } from "../../messages/language";
import { ChunkError, loadChunk } from "../chunk/chunk";

function Failed({ message }: { message: string }) {
  const { problem } = useMessages();
  return (
    <p role="alert">
      {message}{" "}
      <button type="button" onClick={() => window.location.reload()}>
        {problem.retry}
      </button>
    </p>
  );
}

/** Draw it inside a `Suspense`. The message of a failure is the catalogue's. */
export function chunkPart<Props extends object>(
  id: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return await loadChunk(id, load);
    } catch (error) {
      if (!(error instanceof ChunkError)) throw error;
      return { default: () => <Failed message={error.message} /> };
    }
  });
}
