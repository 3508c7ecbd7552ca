/** A part of a page in its own chunk; if it does not load, the rest of the page still works. */
import { type ComponentType, lazy } from "react";
import { useMessages } from "../../messages/language";
import { type ChunkError, loadChunk, Retry } from "../chunk/chunk";

function Failed({ message }: { message: string }) {
  const { translate } = useMessages();
  return (
    <p role="alert">
      {translate({ message })} <Retry />
    </p>
  );
}

/**
 * Creates a part, which must be inside a `Suspense`. On failure it shows `instead`, or the error
 * message.
 */
export function chunkPart<Props extends object>(
  id: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
  instead?: ComponentType<Props>,
): ComponentType<Props> {
  return lazy((): Promise<{ default: ComponentType<Props> }> => {
    const failed =
      ({ message }: ChunkError) =>
      () => <Failed message={message} />;
    return loadChunk(id, load).catch((error) => ({ default: instead ?? failed(error) }));
  });
}
